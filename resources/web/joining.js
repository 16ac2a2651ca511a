/** Joining a session by code and name; afterwards tab and browser store the token, and the address contains no secret. */

import { confirm } from "./dialogs.js";
import { button, el, reveal, setText } from "./dom.js";
import { ConnectionLost, Refusal, ask, refusalWords } from "./line.js";
import { showWithdrawn } from "./start_page.js";
import { readSettings, readTabSettings, saveSettings, saveTabSettings } from "./storage.js";
import { entryOf, fill, tr } from "./words.js";

/** @import { Task } from "./task.js" */

const PERSONAL = "#t=";

/** @typedef {{ token?: string, sender?: string, previous?: string, task?: Task }} Access of a participant: token, id at the panel, the token that a link replaced, and the task */
/** @typedef {{ irjudge: "session", session: string, join: "open" | "names" | "links", panel: string[], project: string, compare: boolean }} Invitation */

/**
 * Return the participant's token: from the address, which is then cleared, from the tab or the browser, or by joining.
 * @param {Invitation} invitation
 * @param {string} problem why the last token was refused; empty for none
 * @param {HTMLElement[]} lostPart work that was done with the last token
 * @returns {Promise<string>} empty for a preview
 */
export async function tokenOf(invitation, problem, lostPart) {
  if (new URLSearchParams(location.search).has("preview")) {
    return "";
  }
  const named = location.hash.startsWith(PERSONAL) ? location.hash.slice(PERSONAL.length) : "";
  const sender = (!named && new URLSearchParams(location.search).get(invitation.panel[0] ?? "")) || "";
  const ofBrowser = /** @type {Access} */ (await readSettings(invitation.session));
  const ofTab = /** @type {Access} */ (readTabSettings(invitation.session)); // each tab keeps its participant
  const stored = ofTab.token ? ofTab : ofBrowser;
  const storedToken = sender && sender !== stored.sender ? "" : stored.token;
  const token = named || storedToken || (await (sender ? joinAsSent(invitation, sender) : join(invitation, problem, lostPart)));
  if (!token) {
    return "";
  }
  const previous = named && named !== stored.token ? stored.token : ""; // kept until the server accepts the new token
  const access = { token, sender: sender || stored.sender, previous, task: token === stored.token ? stored.task : undefined };
  saveTabSettings(access, invitation.session);
  if (token !== ofTab.token || token === ofBrowser.token) {
    await saveSettings(access, invitation.session); // not if another tab joined or left later
  }
  history.replaceState(null, "", location.pathname);
  return token;
}

/**
 * Join by the link of a panel.
 * @param {Invitation} invitation
 * @param {string} sender
 * @returns {Promise<string>} the token; empty for a preview by the panel's staff
 */
async function joinAsSent(invitation, sender) {
  const parameters = new URLSearchParams(location.search);
  const panel = Object.fromEntries(invitation.panel.map((name) => [name, parameters.get(name) ?? ""]));
  try {
    return (await ask("/join", { code: codeGiven(), panel })).token;
  } catch (error) {
    if (error instanceof Refusal && error.kind === "preview") {
      return "";
    }
    showJoinRefusal(/** @type {Refusal | ConnectionLost} */ (error), sender, invitation);
    return new Promise(() => {});
  }
}

/** @param {Refusal | ConnectionLost} error @param {string} name @param {Invitation} invitation shows why joining was refused */
export function showJoinRefusal(error, name, invitation) {
  if (error instanceof Refusal && error.kind === "withdrawn") {
    showWithdrawn();
    return;
  }
  const words = el("p", { class: "error", role: "alert" }, refusal(error, name, invitation));
  const isFinal = error instanceof Refusal && ["code", "ended"].includes(error.kind);
  const retry = isFinal ? null : button(tr("Try again"), () => location.reload(), { class: "primary" });
  document.body.replaceChildren(el("main", { class: "joining" }, el("h1", { dir: "auto" }, invitation.project), words, retry));
}

/** @returns {string} the code in the address, or nothing */
export function codeGiven() {
  return location.hash.slice(1) || (new URLSearchParams(location.search).get("code") ?? "");
}

/** Reload for another link in this tab, because browsers do not load a page if only the fragment differs. */
export function followAddress() {
  addEventListener("hashchange", () => location.hash.length > 1 && location.reload());
}

/**
 * Ask before this browser forgets the participant.
 * @param {Invitation} invitation
 * @param {string} name
 * @param {number} unsent number of actions that the server lacks
 * @param {() => unknown} leave
 */
export function askSwitch(invitation, name, unsent, leave) {
  const ways = /** @type {Record<string, string>} */ ({
    open: tr(
      "This browser will forget that you are {name}. You can then join under another name. Only the session leader can readmit {name}.",
    ),
    names: tr(
      "This browser will forget that you are {name}. Another participant on the list can then join. The name {name} stays taken: only the session leader can readmit {name}.",
    ),
    links: tr("This browser will forget that you are {name}. To continue as {name}, open your personal link again."),
  });
  const words = [
    fill(ways[invitation.join] ?? ways.open, { name }),
    unsent > 0 &&
      fill(tr("Not sent yet: {unsent}. These judgments reach the session only after you are readmitted in this browser."), { unsent }),
  ];
  confirm(tr("Switch participant?"), words, tr("Switch participant"), leave);
}

/**
 * Store what a result file contains about the task, for a page that is opened after the end of the session.
 * @param {Invitation} invitation
 * @param {Task} task
 */
export async function storeTask({ session }, { assignment, code, assessor, title, origin }) {
  const ofTab = /** @type {Access} */ (readTabSettings(session));
  const access = { ...ofTab, task: { assignment, code, assessor, title, origin } };
  saveTabSettings(access, session);
  if ((await readSettings(session)).token === ofTab.token) {
    await saveSettings(access, session); // not if another tab joined later
  }
}

/** @param {Invitation} invitation @returns {Promise<Task | null>} the task of `storeTask`, without items; null for none */
export async function readTask({ session }) {
  const ofTab = /** @type {Access} */ (readTabSettings(session));
  return (ofTab.token ? ofTab : await readSettings(session)).task ?? null;
}

/**
 * Delete the token, so that another participant can join.
 * @param {Invitation} invitation
 */
export async function forgetToken(invitation) {
  saveTabSettings({}, invitation.session);
  await saveSettings({}, invitation.session);
  history.replaceState(null, "", location.pathname);
}

/**
 * Delete a refused token, and restore the one that a link in the address replaced.
 * @param {Invitation} invitation
 * @returns {Promise<string>} why it was refused
 */
export async function forgetRefused(invitation) {
  const { token, sender, previous } = /** @type {Access} */ (readTabSettings(invitation.session));
  const access = previous ? { token: previous, sender } : {};
  saveTabSettings(access, invitation.session);
  if ((await readSettings(invitation.session)).token === token) {
    await saveSettings(access, invitation.session); // not if another tab got a new token
  }
  history.replaceState(null, "", location.pathname);
  return closedWords(invitation)
    ? brokenLinkWords()
    : tr(
        "You no longer have access, or this link does not work any more. If you have a new link, open it. Otherwise join with the code, or ask the session leader for a link.",
      );
}

/** @returns {string} */
function brokenLinkWords() {
  return tr("This link does not work any more. Ask the session leader for a new one.");
}

/**
 * @param {Invitation} invitation
 * @returns {string}
 */
function nameHint(invitation) {
  return invitation.join === "names"
    ? tr("Enter your name as it appears on the list of participants.")
    : tr("Only the session leader sees your name.");
}

/**
 * Ask for code and name until joining succeeds.
 * @param {Invitation} invitation
 * @param {string} refused why the last token was refused; empty for none
 * @param {HTMLElement[]} lostPart
 * @returns {Promise<string>} the token
 */
function join(invitation, refused, lostPart) {
  const codeInAddress = location.hash.slice(1);
  const code = el("input", {
    id: "code",
    value: codeInAddress,
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    required: true,
  });
  const name = el("input", { id: "name", autocomplete: "name", maxlength: 80, required: true, dir: "auto" });
  const problem = el("p", { class: "error", role: "alert", hidden: !refused }, refused);
  const submit = button(tr("Join"), () => {}, { type: "submit", class: "primary" });
  const form = el(
    "form",
    { class: "join" },
    ...introduction(invitation),
    el("label", { for: "code" }, tr("Code")),
    code,
    el("label", { for: "name" }, tr("Your name")),
    name,
    el("p", { class: "small quiet" }, nameHint(invitation)),
    problem,
    submit,
    el("p", { class: "small quiet" }, encryptionHint()),
  );
  const closed = closedWords(invitation);
  const shownPart = closed ? el("div", { class: "join" }, ...introduction(invitation), problem, el("p", {}, closed)) : form;
  document.body.replaceChildren(el("main", { class: "joining" }, shownPart, ...lostPart));
  (codeInAddress ? name : code).focus();
  return new Promise((resolve) => {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      submit.disabled = true; // a second request would make the token of the first one invalid
      ask("/join", { code: code.value, name: name.value, page: pageKey(invitation.session) }).then(
        ({ token }) => resolve(token),
        (error) => {
          submit.disabled = false;
          setText(problem, refusal(error, name.value.trim(), invitation));
          reveal(problem, true);
        },
      );
    });
  });
}

/**
 * Return the random value by which the server recognises this tab if it did not receive its token.
 * @param {string} session
 * @returns {string}
 */
function pageKey(session) {
  const name = `join ${session}`;
  const key = String(readTabSettings(name).key ?? crypto.getRandomValues(new Uint32Array(4)).join("-"));
  saveTabSettings({ key }, name);
  return key;
}

/** Return a warning if what is sent can be read by others; empty if it cannot. */
function encryptionHint() {
  const isOnThisComputer = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  return location.protocol === "http:" && !isOnThisComputer
    ? tr("This page is not encrypted: others on this network can read what is sent.")
    : "";
}

/** @param {Invitation} invitation */
function introduction({ project, compare }) {
  const task = compare ? tr("Join the session and compare results side by side.") : tr("Join the session and judge documents.");
  return [el("h1", { dir: "auto" }, project), el("p", {}, task)];
}

/**
 * Return what to open instead, if the session is not joined by code and name; else empty.
 * @param {Invitation} invitation
 */
function closedWords(invitation) {
  if (invitation.panel.length) {
    return tr("Open this page with the link on the site that sent you here.");
  }
  return invitation.join === "links" ? tr("This session can be joined only with personal links. Open your personal link.") : "";
}

/**
 * Return why joining was refused, translated.
 * @param {Refusal | ConnectionLost} error
 * @param {string} name
 * @param {Invitation} invitation
 */
function refusal(error, name, invitation) {
  if (error instanceof ConnectionLost) {
    return tr("The server is not responding. Is this device on the right network?");
  }
  const words = /** @type {Record<string, string>} */ ({
    code: invitation.panel.length
      ? brokenLinkWords()
      : tr("The code does not match. Compare it with the code shown by the session leader."),
    slow: tr("Too many participants are joining from this network. Wait a minute, then try again."),
    name: tr("Enter a name of 1 to 80 visible characters."),
    taken:
      invitation.join === "open"
        ? tr("Someone has already joined as {name}. If that was you, ask the session leader to readmit you; otherwise, use another name.")
        : tr("The name {name} cannot be used here. Check the list of participants, use another name, or ask the session leader."),
    known: tr(
      "You've already started in another browser (judged: {count}). Continue there. If you can't, contact the researcher through the site that sent you here.",
    ),
    finished: tr(
      "You've finished in another browser (judged: {count}). Complete the submission there. If you can't, contact the researcher through the site that sent you here.",
    ),
    full: tr("The session is full."),
    links: closedWords(invitation),
    panel: closedWords(invitation),
  });
  return fill(entryOf(words, error.kind) || refusalWords(error), { name, count: error.values.count ?? "" });
}
