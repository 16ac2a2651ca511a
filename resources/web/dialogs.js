/** Modal dialogs. The browser keeps the focus inside and closes them with Escape. */

import { button, el, keyCap } from "./dom.js";
import { tr } from "./words.js";

/** @import { Child } from "./dom.js" */

/** @typedef {{ label: string, call?: () => unknown, quiet?: boolean }} Choice Enter takes the first one, unless it is quiet */

let dialogCount = 0;

/**
 * Open a dialog.
 * @param {object} what
 * @param {string} what.title
 * @param {Child[]} what.parts
 * @param {Choice[]} what.choices each closes it
 * @param {() => void} what.closed called when it is gone, however it was closed
 * @param {string} [what.style]
 * @returns {HTMLDialogElement}
 */
export function openDialog({ title, parts, choices, closed, style = "" }) {
  dialogCount += 1;
  const titleId = `dialog-title-${dialogCount}`; // a dialog can be opened from another one
  const heading = el("h2", { id: titleId }, title);
  const buttons = choices.map(({ label, call }, place) =>
    button(label, () => close(call), { class: place || choices[place].quiet ? "" : "primary", autofocus: !place }),
  );
  const buttonRow = el("div", { class: "row choices" }, ...buttons.reverse());
  const dialog = el("dialog", { class: style, "aria-labelledby": titleId }, heading, el("div", { class: "inside" }, ...parts), buttonRow);
  let next = /** @type {(() => unknown) | undefined} */ (undefined);
  const close = (/** @type {(() => unknown) | undefined} */ call) => {
    next = call;
    dialog.close();
  };
  dialog.addEventListener("close", () => {
    dialog.remove();
    closed();
    next?.();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Ask for confirmation before a command that affects others or cannot be undone; Enter and Escape change nothing.
 * @param {string} title
 * @param {(string | false)[]} words
 * @param {string} label
 * @param {() => unknown} call
 * @param {() => void} [closed]
 */
export function confirm(title, words, label, call, closed = () => {}) {
  const parts = words.filter(Boolean).map((each) => el("p", { dir: "auto" }, each));
  openDialog({ title, parts, choices: [{ label: tr("Cancel") }, { label, call }], closed });
}

/** @returns {boolean} whether a dialog is open; it then handles the keys */
export function isDialogOpen() {
  return document.querySelector("dialog[open]") !== null;
}

/**
 * Open a menu with a digit for each choice.
 * @param {string} title
 * @param {string[]} labels
 * @param {(place: number) => void} chosen
 * @param {() => void} closed
 */
export function openMenu(title, labels, chosen, closed) {
  const choose = (/** @type {number} */ place) => {
    dialog.addEventListener("close", () => chosen(place));
    dialog.close();
  };
  const buttons = labels.map((label, place) => button("", () => choose(place), { class: "choice" }, keyCap(String(place + 1)), label));
  const parts = [el("div", { class: "menu" }, ...buttons)];
  const dialog = openDialog({ title, parts, choices: [{ label: tr("Cancel"), quiet: true }], closed, style: "small-dialog" });
  dialog.addEventListener("keydown", (event) => {
    const digit = /^[1-9]$/.test(event.key) ? Number(event.key) : Number(/^(?:Digit|Numpad)([1-9])$/.exec(event.code)?.[1] ?? 0);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0;
    if (digit && digit <= labels.length && !event.repeat) {
      event.preventDefault();
      choose(digit - 1);
    } else if (step) {
      event.preventDefault();
      buttons[
        (buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement)) + step + buttons.length) % buttons.length
      ].focus();
    }
  });
  buttons[0].focus();
}

/**
 * Page without a document: result and next steps.
 * @param {string} title
 * @param {string} words
 * @param {Choice[]} choices
 * @param {Node | null} [picture]
 * @returns {HTMLElement}
 */
export function showStatePage(title, words, choices, picture = null) {
  const style = (/** @type {number} */ place) => (place || choices[place].quiet ? "" : "primary");
  const buttons = choices.map(({ label, call }, place) => button(label, () => call?.(), { class: style(place) }));
  return el(
    "section",
    { class: "state" },
    el("h1", { tabindex: -1 }, title),
    el("p", { class: "quiet lines" }, words),
    picture,
    el("div", { class: "row" }, ...buttons),
  );
}

/**
 * Page shown instead of an item that the server took back.
 * @param {() => void} proceed shows the next item
 * @returns {HTMLElement}
 */
export function withdrawnPage(proceed) {
  const words = tr("The item was assigned to others, or the session leader started or ended a round. Everything you judged is saved.");
  return showStatePage(tr("This item is no longer yours to judge"), words, [{ label: tr("Continue"), call: proceed }]);
}

/**
 * Confirm opening an external link.
 * @param {string} address
 * @param {() => void} closed
 */
export function askLink(address, closed) {
  const parts = [
    el("p", {}, tr("This link leads to another site, whose owner can see your visit.")),
    el("p", { class: "address" }, address),
  ];
  const open = () => window.open(address, "_blank", "noopener,noreferrer");
  openDialog({
    title: tr("Open this address?"),
    parts,
    choices: [{ label: tr("Stay here") }, { label: tr("Open in a new tab"), call: open }],
    closed,
  });
}
