/** Dialogs for instructions, actions, keys and settings. */

import { IDLE_ACTIONS } from "./card_parts.js";
import { openDialog } from "./dialogs.js";
import { button, isTouchDevice, el, followLinks, keyCap, makeLinksFocusable, setText } from "./dom.js";
import { fits, pressedKey } from "./keys.js";
import { severalOf } from "./several.js";
import { LANGUAGES, fill, moment, sentences, tr } from "./words.js";

/** @import { App } from "./main.js" */

const COMPARING_ACTIONS = ["left", "equal", "right", "much-left", "much-right", "panel-note", "later"];
const JUDGING_ACTIONS = ["skip", "unjudgeable", "unsure", "note", "reason", "undo", "redo", ...COMPARING_ACTIONS];
const TEXT_ACTIONS = ["passage", "highlight", "next-hit", "previous-hit", "find", "find-next", "find-previous", "pages"];
const LIST_ACTIONS = ["jump", "search-collection", "back", "several", "next-on-page", "previous-on-page", "open-result", "link", "same"];

/**
 * Show assessor, instructions, grades, and how the work is saved.
 * @param {App} app
 * @param {boolean} [isFirst] whether judging starts afterwards
 */
export function openInstructions(app, isFirst = false) {
  const { task } = app;
  const given = el("div", { class: "sheet instructions", dir: "auto" });
  given.innerHTML = task.instructions; // sanitised by the engine
  makeLinksFocusable(given);
  followLinks(given, (address) => app.askLink(address));
  const open = button(tr("Open a result file to continue"), () => {
    dialog.close();
    app.saving.askResult();
  });
  const until = task.deadline ? fill(tr("Due {value}."), { value: moment(`${task.deadline}T23:59:59`).replace(/,? \d\d:\d\d$/, "") }) : "";
  const items = task.served ? "" : fill(tr("Items: {items}."), { items: task.items.length });
  const madeFor = fill(tr("Task for {assessor}: {title}."), { assessor: task.assessor, title: task.title });
  const joined = [task.title, task.assessor].filter(Boolean).join(" · "); // empty for a preview, which has no participant
  const whose = sentences(task.served ? joined : madeFor, items, until);
  const dialog = openDialog({
    title: tr("Instructions"),
    parts: [
      el("p", { class: "quiet", dir: "auto" }, whose),
      task.mode !== "grade" && el("p", {}, comparingWords(task.mode)),
      given,
      task.mode === "grade" || task.rules.grading ? gradeList(app) : null,
      app.served ? sending(app) : keeping(app),
      el("div", { class: "row" }, ...ways(app, open)),
    ],
    choices: [{ label: isFirst ? tr("Start") : tr("Close") }],
    closed: () => app.page.focus(),
    style: "tall",
  });
}

/** @param {string} mode @returns {string} */
function comparingWords(mode) {
  return mode === "pairs"
    ? tr("You see two documents. Choose the one that fits the topic better; if you like, tick reasons first.")
    : tr(
        "You see two lists of results. Open results to read them, then choose the list that fits the topic better; if you like, tick reasons first.",
      );
}

/** @param {App} app @param {HTMLElement} open a button that opens a result file */
function ways(app, open) {
  const { task, served, leave, withdraw } = app;
  if (!served) {
    return [open];
  }
  return [
    !task.preview && !isFromPanel(app) && button(tr("Not you? Switch participant"), () => leave()),
    task.start && button(tr("Withdraw"), () => askWithdraw(withdraw)),
  ];
}

/** @param {() => unknown} withdraw */
function askWithdraw(withdraw) {
  const parts = [el("p", {}, tr("Your judgments will not be used, and you will get no more documents. This cannot be undone here."))];
  const choices = [{ label: tr("Continue judging") }, { label: tr("Withdraw"), call: withdraw }];
  openDialog({ title: tr("Withdraw?"), parts, choices, closed: () => {} });
}

/** @param {App} app */
function gradeList({ task }) {
  const lines = [...task.scale.grades]
    .reverse()
    .map(({ value, label, help }) => [el("dt", {}, `${value} ${tr(label)}`), el("dd", { dir: "auto" }, help)]);
  return el("section", {}, el("h3", {}, tr("Grades")), el("dl", {}, ...lines.flat()));
}

/** @param {App} app @returns {boolean} whether a crowd panel sent the participant, who has an id there instead of a name */
function isFromPanel({ served, task }) {
  return Boolean(served?.share || task.start?.count); // the share is known after the first answer of the server
}

/** @param {App} app */
function sending(app) {
  const { log, task } = app;
  if (task.preview) {
    return el("p", { class: "warning" }, tr("This is a preview: nothing is saved or sent."));
  }
  const words = sentences(
    tr("Your work is sent immediately. It is saved when the page says “All sent”."),
    log.storage.lasting
      ? tr("Without a connection, your work is saved in this browser and sent when the connection is back.")
      : tr("⚠ This browser saves nothing: without a connection, leave this page open."),
  );
  const name = isFromPanel(app)
    ? tr("The session leader sees your id on the site that sent you here. Judgments are saved under a code, not under this id.")
    : tr("The session leader sees your name. Judgments are saved under a code, not under your name.");
  return el("section", {}, el("h3", {}, tr("Your work")), el("p", {}, words), el("p", { class: "small quiet" }, name));
}

/** @param {App} app */
function keeping({ log, saving, keys }) {
  const words = log.storage.lasting
    ? sentences(
        tr("Each judgment is saved in this browser before the next document is shown."),
        tr("Browsers may delete the work stored in them; private windows always delete it."),
        fill(tr("Save the result from time to time ({key}), and return the file at the end."), {
          key: keys.cap("save-result") || tr("Save result"),
        }),
      )
    : sentences(
        tr(
          "⚠ This browser does not store data for pages opened from a file. Work that you have not saved to a result file will be lost when you close this page.",
        ),
        tr("Save often, and open the result file here to continue. Or use another browser."),
      );
  const phones = tr("Phones often display task files without running them. In that case, ask for a link.");
  const alone = saving.saver.automatic ? tr("Your work is saved to the chosen file automatically.") : "";
  return el(
    "section",
    { class: log.storage.lasting ? "" : "warning" },
    el("h3", {}, tr("Your work")),
    el("p", {}, sentences(words, alone)),
    el("p", { class: "small quiet" }, phones),
  );
}

/**
 * List all actions of the page with their keys, as buttons; on touch devices, the remaining actions.
 * @param {App} app
 */
export function openActions(app) {
  const mode = app.task.mode === "grade" ? "grade" : "compare";
  const all = [...app.keys.actions.values()].filter(
    ({ where, id }) => (!where || where === mode) && !id.startsWith("grade-") && id !== "shortcuts" && app.offers(id),
  );
  const actions = isTouchDevice() ? all.filter(({ id }) => app.page.isUseful(id)) : all; // with a keyboard, all actions are listed, to show their keys
  const row = (/** @type {{ id: string, text: string }} */ { id, text }) => {
    const caps = app.keys.keys(id).map((_key, place) => keyCap(app.keys.capAt(id, place)));
    return el(
      "li",
      {},
      button("", () => choose(id), { class: "action", "data-action": id }, el("span", { class: "grow" }, text), ...caps),
    );
  };
  const groups = actionGroups(actions.map(({ id }) => id)).map(([name, ids]) => {
    const members = actions.filter(({ id }) => ids.includes(id));
    return members.length > 0 && el("section", {}, el("h3", {}, name), el("ul", { class: "actions" }, ...members.map(row)));
  });
  const act = actOnShown(app);
  const choose = (/** @type {string} */ id) => {
    dialog.addEventListener("close", () => act(id));
    dialog.close();
  };
  const digits =
    mode === "grade"
      ? tr("Press a digit to grade; the number pad works too.")
      : tr("Press a digit to tick a reason; use the up and down arrow keys to scroll.");
  const parts = [el("p", { class: "quiet of-keys" }, digits), ...groups.filter((group) => group !== false)];
  const dialog = openDialog({
    title: isTouchDevice() ? tr("More") : tr("All shortcuts"),
    parts,
    choices: [{ label: tr("Close") }],
    closed: () => app.page.focus(),
    style: "tall",
  });
}

/**
 * Return a function that runs an action unless the shown item has been replaced in the meantime.
 * @param {App} app
 * @returns {(id: string) => void}
 */
function actOnShown(app) {
  const { page } = app;
  const { shown } = page.workspace;
  return (id) => {
    if (IDLE_ACTIONS.includes(id) || (app.page === page && page.workspace.shown === shown)) {
      app.act(id);
    } else {
      app.page.message.ignored(tr("Ignored: the document is no longer shown."));
    }
  };
}

/**
 * Return the groups in which actions are listed; the last one has the others.
 * @param {string[]} ids
 * @returns {[string, string[]][]}
 */
function actionGroups(ids) {
  const groups = /** @type {[string, string[]][]} */ ([
    [tr("Judging"), JUDGING_ACTIONS],
    [tr("Text"), TEXT_ACTIONS],
    [tr("Documents"), LIST_ACTIONS],
  ]);
  const listed = groups.flatMap(([, members]) => members);
  return [...groups, [tr("Page"), ids.filter((id) => !listed.includes(id))]];
}

/**
 * Open the settings of the page.
 * @param {App} app
 */
export function openSettings(app) {
  const { looks } = app;
  const closing = new AbortController();
  const themes = { system: tr("follow system"), light: tr("light"), dark: tr("dark") };
  const speech = { "": tr("follow browser"), ...LANGUAGES };
  const hands = { right: tr("both hands"), left: tr("left hand only") };
  const size = el("span", { class: "numbers", role: "status" }, percent(app));
  const zoom = (/** @type {number} */ steps, /** @type {string} */ name) => {
    const call = () => {
      looks.zoom(steps);
      setText(size, percent(app));
    };
    return button(name, call);
  };
  const sizes = el(
    "div",
    { class: "row wrap" },
    zoom(-1, tr("Smaller text")),
    size,
    zoom(1, tr("Larger text")),
    zoom(0, tr("Normal text size")),
  );
  const parts = [
    settingLine(
      tr("Colours"),
      choice(themes, looks.get("theme"), (theme) => looks.set("theme", theme)),
    ),
    el("div", { class: "setting" }, el("span", {}, tr("Text size")), sizes),
    settingLine(
      tr("Language"),
      choice(speech, looks.get("language"), (language) => app.speak(language)),
    ),
    settingLine(
      tr("Keys for judging"),
      choice(hands, looks.get("hand"), (hand) => looks.set("hand", hand)),
    ),
    ...readingChecks(app),
    keyTable(app, closing.signal),
  ];
  const closed = () => {
    closing.abort();
    app.page.focus();
  };
  openDialog({ title: tr("Settings"), parts, choices: [{ label: tr("Close") }], closed, style: "tall" });
}

/** @param {App} app check boxes for reading and judging */
function readingChecks({ looks, task, page }) {
  const characterKeys = check(tr("Single-character shortcuts are active"), looks.get("letters"), (on) => looks.set("letters", on));
  if (!("several" in page)) {
    return [characterKeys];
  }
  const atBest = looks.get("passage") ?? task.settings.best_passage;
  const passage = check(tr("Open documents at their best passage"), atBest, (on) => looks.set("passage", on));
  const several = check(tr("Show several documents per topic on one page"), severalOf(task, looks) > 0, () => page.several.toggle());
  return [characterKeys, passage, several];
}

/** @param {App} app @returns {string} */
function percent(app) {
  return `${Math.round(app.looks.get("zoom") * 100)} %`;
}

/** @param {string} label @param {HTMLElement} part */
function settingLine(label, part) {
  return el("label", { class: "setting" }, el("span", {}, label), part);
}

/** @param {Record<string, string>} options @param {string} now @param {(value: string) => void} onChosen */
function choice(options, now, onChosen) {
  const select = el("select", {}, ...Object.entries(options).map(([value, label]) => el("option", { value }, label)));
  select.value = now;
  select.addEventListener("change", () => onChosen(select.value));
  return select;
}

/** @param {string} label @param {boolean} on @param {(on: boolean) => void} take */
function check(label, on, take) {
  const input = el("input", { type: "checkbox" });
  input.checked = on;
  input.addEventListener("change", () => take(input.checked));
  return el("label", { class: "check" }, input, label);
}

/** @param {App} app @param {AbortSignal} signal given when the dialog is closed @returns {HTMLElement} table of keys, each can be changed */
function keyTable(app, signal) {
  let stopListening = () => {};
  signal.addEventListener("abort", () => stopListening());
  const startListening = (/** @type {string} */ id) => {
    stopListening();
    stopListening = listen(app, id, status);
  };
  const mode = app.task.mode === "grade" ? "grade" : "compare";
  const status = el("p", { class: "small", role: "status" });
  const rows = [...app.keys.actions.values()]
    .filter(({ where }) => !where || where === mode)
    .map(({ id, text }) => {
      const caps = el("span", { class: "caps" });
      const show = () => caps.replaceChildren(...app.keys.keys(id).map((_key, place) => keyCap(app.keys.capAt(id, place))));
      show();
      app.looks.changed(show, signal);
      const name = fill(tr("Change the key for: {text}"), { text });
      const change = button(tr("Change"), () => startListening(id), { "aria-label": name });
      const reset = button(tr("Default"), () => app.keys.change(id, ""), {
        class: "link",
        "aria-label": fill(tr("Restore the default key for: {text}"), { text }),
      });
      return el("li", { class: "row" }, el("span", { class: "grow" }, text), caps, change, reset);
    });
  return el("details", {}, el("summary", {}, tr("Change keys")), status, el("ul", { class: "key-table" }, ...rows));
}

/**
 * Assign the next pressed key to an action.
 * @param {App} app
 * @param {string} id
 * @param {HTMLElement} status
 * @returns {() => void} stops waiting for the key
 */
function listen(app, id, status) {
  setText(status, tr("Press the new key. Esc keeps the old one."));
  const take = (/** @type {KeyboardEvent} */ event) => {
    const key = pressedKey(event);
    if (!key) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    stop();
    const clash = app.keys.clash(id, key);
    if (event.key === "Escape") {
      setText(status, "");
    } else if (!fits(id, key)) {
      setText(status, tr("This key cannot be used: it scrolls the page or edits text, or is not a single character. Choose another key."));
    } else if (clash) {
      setText(status, fill(tr("This key is already used for “{action}”."), { action: app.keys.actions.get(clash)?.text ?? clash }));
    } else {
      app.keys.change(id, key);
      setText(status, fill(tr("Key changed: {action}."), { action: app.keys.actions.get(id)?.text ?? id }));
    }
  };
  const stop = () => removeEventListener("keydown", take, true);
  addEventListener("keydown", take, true);
  return stop;
}
