/** Search in the collection during judging: a match is graded in the list or opened. Ranks in runs are not shown. */

import { openDialog } from "./dialogs.js";
import { button, el } from "./dom.js";
import { ConnectionLost, Refusal, ask, refusalWords } from "./line.js";
import { fill, tr } from "./words.js";

/** @import { GradePage } from "./grade_page.js" */
/** @import { Served } from "./served.js" */
/** @import { Grading } from "./grading.js" */

const SEARCH_MS = 350; // typing pause in milliseconds before a search starts
const DOCUMENT_TIMEOUT = 10_000; // timeout in milliseconds for receiving a requested document

/** @typedef {{ id: string, title: string, text: string }} Hit */

/**
 * Search the collection for the current topic, if the session allows it.
 * @param {GradePage} page
 */
export function searchFrom(page) {
  const { session } = page;
  const { served } = page.app;
  const topic = session.at === null ? page.lastTopic : page.task.items[session.at].topic;
  if (page.workspace.reading) {
    page.ready(); // says that the tab is read-only
    return;
  }
  if (!served || !page.task.search || topic === undefined) {
    page.message.hint(tr("The collection can be searched only in sessions that allow it."));
    return;
  }
  const give = (/** @type {number} */ place, /** @type {number} */ value) => gradeHit(page, place, value);
  openSearch({ served, session, topic, give, open: (place) => page.open(place), closed: () => page.focus() });
}

/**
 * @param {GradePage} page
 * @param {number} place item to grade, which need not be the shown one
 * @param {number} value
 * @returns {Promise<void>} resolves when the grade is stored or storing failed
 */
async function gradeHit(page, place, value) {
  if (page.workspace.reading) {
    page.ready(); // says that the tab is read-only
    return;
  }
  await page.workspace.commit(
    () => page.session.grade(place, value, 0),
    () => {
      page.saySaved(place, fill(tr("grade {grade}"), { grade: value }));
      if (page.session.at === place || page.waiting) {
        page.show(page.session.advance());
      }
    },
    "found",
  );
}

/**
 * Open the search for a topic.
 * @param {object} what
 * @param {Served} what.served
 * @param {Grading} what.session
 * @param {number} what.topic index of the topic
 * @param {(place: number, value: number) => Promise<void>} what.give grades an item
 * @param {(place: number) => void} what.open shows an item
 * @param {() => void} what.closed
 */
function openSearch({ served, session, topic, give, open, closed }) {
  const { id, title } = session.task.topics[topic];
  const words = el("input", {
    type: "text",
    "aria-label": tr("Search terms"),
    placeholder: tr("Words, or the beginning of a document id"),
  });
  const about = el("p", { class: "small quiet", role: "status" });
  const list = el("ul", { class: "places hits", "aria-label": tr("Matching documents") });
  const take = (/** @type {number} */ place) => {
    dialog.addEventListener("close", () => open(place));
    dialog.close();
  };
  const search = { served, session, topic, give, take, say: (/** @type {string} */ text) => about.replaceChildren(text) };
  const look = asking(words, list, search);
  let typing = 0;
  words.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => void look(), SEARCH_MS);
  });
  words.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      clearTimeout(typing);
      void look();
    }
  });
  const parts = [el("p", { class: "quiet" }, fill(tr("For topic: {title}"), { title: title || id })), words, about, list];
  const dialog = openDialog({
    title: tr("Search in the collection"),
    parts,
    choices: [{ label: tr("Close"), quiet: true }],
    closed,
    style: "tall",
  });
  words.focus();
}

/**
 * @param {HTMLInputElement} words
 * @param {HTMLElement} list
 * @param {{ served: Served, session: Grading, topic: number, give: (place: number, value: number) => Promise<void>, take: (place: number) => void, say: (words: string) => void }} search
 * @returns {() => Promise<void>} searches for the current words; results of earlier searches are dropped
 */
function asking(words, list, search) {
  let asked = 0;
  return async () => {
    asked += 1;
    const request = asked;
    const query = words.value.trim();
    if (!query) {
      list.replaceChildren();
      search.say("");
      return;
    }
    try {
      const { hits } = await ask("/search", { words: query }, search.served.token);
      if (request === asked) {
        list.replaceChildren(...hits.map((/** @type {Hit} */ hit) => hitLine(search, hit)));
        search.say(hits.length ? fill(tr("Matching documents, best first: {count}."), { count: hits.length }) : tr("No matches."));
      }
    } catch (error) {
      search.say(searchErrorText(error));
    }
  };
}

/**
 * @param {{ served: Served, session: Grading, topic: number, give: (place: number, value: number) => Promise<void>, take: (place: number) => void, say: (words: string) => void }} search
 * @param {Hit} hit
 * @returns {HTMLElement}
 */
function hitLine(search, hit) {
  const own = el("span", { class: "small quiet" });
  const show = () => {
    const place = positionOfHit(search.session, search.topic, hit.id);
    const judgment = place === null ? null : search.session.judgment(place);
    own.textContent = judgment?.kind === "grade" ? fill(tr("your grade: {value}"), { value: judgment.payload.value }) : tr("not judged");
  };
  const withPlace = async (/** @type {(place: number) => unknown} */ then) => {
    if (search.served.halted) {
      search.say(search.served.rest().title);
      return;
    }
    try {
      const place = await awaitPosition(search, hit.id);
      if (place === null) {
        search.say(tr("This document has enough judgments, or cannot be judged at the moment."));
      } else {
        await then(place);
        show();
      }
    } catch (error) {
      search.say(searchErrorText(error));
    }
  };
  const grades = search.session.task.scale.grades.map(({ value, label }) =>
    button(String(value), () => withPlace((place) => search.give(place, value)), {
      title: tr(label),
      "aria-label": fill(tr("grade {grade}"), { grade: value }),
    }),
  );
  show();
  const name = el("p", { class: "title", dir: "auto" }, hit.title || hit.id);
  const text = hit.text ? el("p", { class: "small", dir: "auto" }, hit.text) : null;
  const foot = el(
    "div",
    { class: "row" },
    own,
    ...grades,
    button(tr("Open and judge"), () => withPlace(search.take)),
  );
  return el("li", { class: "hit" }, name, el("p", { class: "small quiet id" }, hit.title ? hit.id : ""), text, foot);
}

/** @param {Grading} session @param {number} topic @param {string} document @returns {number | null} the item of a document of a topic */
function positionOfHit(session, topic, document) {
  const { id } = session.task.topics[topic];
  const place = session.task.items.findIndex(({ about, gone }) => !gone && about.topic === id && about.documents[0] === document);
  return place < 0 ? null : place;
}

/**
 * Return the item of a document, requested from the server if necessary; null if it cannot be judged.
 * @param {{ served: Served, session: Grading, topic: number }} search
 * @param {string} document
 * @returns {Promise<number | null>}
 */
async function awaitPosition({ served, session, topic }, document) {
  const position = positionOfHit(session, topic, document);
  if (position !== null) {
    return position;
  }
  const answer = await ask("/find", { topic: session.task.topics[topic].id, document }, served.token);
  const deadline = Date.now() + DOCUMENT_TIMEOUT;
  while (answer.given && Date.now() < deadline) {
    served.kick();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const place = positionOfHit(session, topic, document);
    if (place !== null) {
      return place;
    }
  }
  return null;
}

/** @param {unknown} error @returns {string} message for the participant */
function searchErrorText(error) {
  if (error instanceof Refusal) {
    return refusalWords(error);
  }
  if (error instanceof ConnectionLost) {
    return tr("The server is not responding. Try again in a moment.");
  }
  throw error;
}
