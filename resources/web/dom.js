/** Creation of elements. Texts are set as text nodes, never as markup. */

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
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(traits)) {
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...present(children));
  return element;
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
 * Make a key cap. Screen readers use `aria-keyshortcuts`, so the cap is hidden from them.
 * @param {string} words
 * @returns {HTMLElement}
 */
export function keyCap(words) {
  return el("kbd", { "aria-hidden": "true", hidden: !words }, words);
}

/** @returns {boolean} whether the device has touch input and no keyboard */
export function isTouchDevice() {
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
 * Set the text of an element if it differs, because screen readers would repeat an equal one.
 * @param {HTMLElement} element
 * @param {string} words
 */
export function setText(element, words) {
  if (element.textContent !== words) {
    element.textContent = words;
  }
}

/**
 * Wait until changes are rendered.
 * @returns {Promise<void>}
 */
export function waitForRendering() {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => resolve();
      channel.port2.postMessage(0);
    });
  });
}

/**
 * Return whether keys in an element enter text.
 * @param {EventTarget | null} target
 * @returns {boolean}
 */
export function isTextField(target) {
  if (!(target instanceof HTMLElement)) {
    return false;
  }
  const input = target instanceof HTMLInputElement && !["checkbox", "radio", "button", "file", "range"].includes(target.type);
  return input || target instanceof HTMLTextAreaElement || target.isContentEditable;
}

/**
 * Follow links in a text of the engine: external ones after confirmation, others inside the text.
 * @param {HTMLElement} root contains the text
 * @param {(address: string) => void} confirmLink asks before an external link is opened
 */
export function followLinks(root, confirmLink) {
  const follow = (/** @type {Event} */ event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const inner = link?.getAttribute("href") ?? "";
    if (link?.dataset.link) {
      event.preventDefault();
      confirmLink(link.dataset.link);
    } else if (inner.startsWith("#")) {
      event.preventDefault();
      root.querySelector(`[id="${CSS.escape(inner.slice(1))}"]`)?.scrollIntoView();
    }
  };
  root.addEventListener("click", follow);
  root.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target instanceof HTMLElement && event.target.dataset.link) {
      follow(event);
    }
  });
}

/** @param {HTMLElement} root makes external links in it reachable by the keyboard; they have no address that a browser would open */
export function makeLinksFocusable(root) {
  for (const link of root.querySelectorAll("a[data-link]:not([tabindex])")) {
    link.setAttribute("tabindex", "0");
    link.setAttribute("role", "link");
  }
}

/**
 * @param {Child[]} children
 * @returns {(string | Node)[]}
 */
function present(children) {
  return /** @type {(string | Node)[]} */ (children.filter((child) => child !== null && child !== undefined && child !== false));
}

/** @param {HTMLElement} bar lower bar of small screens; what floats above it or scrolls behind it needs its height */
export function noteBarHeight(bar) {
  const note = () => bar.isConnected && document.documentElement.style.setProperty("--bar", `${bar.offsetHeight}px`);
  new ResizeObserver(note).observe(bar);
}
