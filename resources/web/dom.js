/** Makes elements. Text is always set as text: no name, title or note becomes markup. */

/** @typedef {string | Node | null | undefined | false} Child */

/**
 * Make an element.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, unknown>} [traits] `class`, `on…` listeners, and attributes; true is an empty attribute, false and null none
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, traits = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(traits)) {
    if (name.startsWith("on")) {
      made.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(name, value === true ? "" : String(value));
    }
  }
  made.append(...present(children));
  return made;
}

/**
 * Make a button.
 * @param {string} words
 * @param {() => unknown} call
 * @param {Record<string, unknown>} [traits]
 * @param {...Child} more after the words
 * @returns {HTMLButtonElement}
 */
export function button(words, call, traits = {}, ...more) {
  return el("button", { type: "button", ...traits, onclick: call }, words, ...more);
}

/**
 * Make a key cap. What reads the page aloud hears keys from `aria-keyshortcuts`, so the cap itself is not read.
 * @param {string} words
 * @returns {HTMLElement}
 */
export function keyCap(words) {
  return el("kbd", { "aria-hidden": "true", hidden: !words }, words);
}

/** @returns {boolean} whether fingers do it, and nobody has keys to press */
export function byTouch() {
  return matchMedia("(pointer: coarse)").matches;
}

/**
 * Show or hide an element.
 * @param {HTMLElement} element
 * @param {boolean} visible
 */
export function reveal(element, visible) {
  if (element.hidden === visible) {
    element.hidden = !visible;
  }
}

/**
 * Set the text of an element, if it is another: what reads the page aloud would say it again.
 * @param {HTMLElement} element
 * @param {string} words
 */
export function setText(element, words) {
  if (element.textContent !== words) {
    element.textContent = words;
  }
}

/**
 * Wait until what was changed is on the screen.
 * @returns {Promise<void>}
 */
export function painted() {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => resolve();
      channel.port2.postMessage(0);
    });
  });
}

/**
 * Tell whether keys that come from an element write text.
 * @param {EventTarget | null} target
 * @returns {boolean}
 */
export function writesText(target) {
  if (!(target instanceof HTMLElement)) {
    return false;
  }
  const input = target instanceof HTMLInputElement && !["checkbox", "radio", "button", "file", "range"].includes(target.type);
  return input || target instanceof HTMLTextAreaElement || target.isContentEditable;
}

/**
 * @param {Child[]} children
 * @returns {(string | Node)[]}
 */
function present(children) {
  return /** @type {(string | Node)[]} */ (children.filter((child) => child !== null && child !== undefined && child !== false));
}
