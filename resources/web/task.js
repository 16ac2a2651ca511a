/** Task embedded in the page, and types of its actions. */

const MAX_TITLE_LENGTH = 60; // maximum number of characters

/** @typedef {{ type: "document" | "pair" | "panel", topic: string, documents: string[], contents: string[], occurrence: number }} About */
/** @typedef {{ title: string, text: string, title_marks: [number, number][], marks: [number, number][] }} Snippet */
/** @typedef {{ hits?: number[], passage?: [number, number], snippet?: Snippet }} Sight */
/** @typedef {{ id: string, title: string, description: string, narrative: string, direction: "ltr" | "rtl", terms: string[] }} Topic */
/** @typedef {{ digest: string, kind: string, direction: "ltr" | "rtl", language?: string, html: string[], unsaid?: [number, number] }} Content */
/**
 * @typedef {object} DocumentEntry
 * @property {string} id
 * @property {string} title
 * @property {number} content
 * @property {[string, string][]} [fields] names and texts of the document's fields
 * @property {string} [facts] the first fields in a line
 * @property {string} [picture] data URL of an image
 * @property {number} [pages] index of its page images
 */
/**
 * @typedef {object} TaskItem
 * @property {About} about copied unchanged into every action
 * @property {number} topic
 * @property {number[]} documents
 * @property {number} [agreed] grade of a calibration document, shown after it is judged
 * @property {[number, number]} [sizes] of a pair or panel: number of documents on each side
 * @property {[string, string]} [sides] of a panel: opaque ids
 * @property {number} [given] in a session: its position among the participant's items
 * @property {boolean} [gone] in a session: lost to another participant
 * @property {boolean} [identical] both lists are the same; it is recorded and not shown
 */
/** @typedef {{ id: string, question: string, choices: string[] }} SurveyQuestion */
/**
 * Consent and surveys before and after judging.
 * @typedef {object} Start
 * @property {string} consent
 * @property {number} minutes
 * @property {number} count
 * @property {SurveyQuestion[]} before
 * @property {SurveyQuestion[]} after
 * @property {Record<string, string>} answered
 * @property {boolean} [left] the participant went on without answers after the work
 */
/** @typedef {{ value: number, label: string, help: string }} Grade */
/** @typedef {{ order: string[], visible: string[] }} PageSeen documents of a page with several, and the visible ones */
/**
 * @typedef {object} TaskSettings
 * @property {number} guard_ms
 * @property {number} idle_ms
 * @property {boolean} best_passage
 * @property {number} several documents of a topic on a page; 0 shows one at a time
 * @property {number} usual_several the same if the assessor switches to several
 * @property {number} longest_note
 * @property {number} longest_term
 */
/**
 * @typedef {object} Task
 * @property {boolean} [search] in a session: whether participants may search the collection
 * @property {number} version
 * @property {string} assignment
 * @property {string} code
 * @property {string} assessor
 * @property {string} title
 * @property {string} deadline
 * @property {string} file
 * @property {unknown} origin
 * @property {"grade" | "panels" | "pairs"} mode
 * @property {string} language
 * @property {{ version: string, grades: Grade[] }} scale
 * @property {string} [question] question that the grades answer, if it is not relevance
 * @property {{ must_view: boolean, grading: boolean, reasons: string[] }} rules
 * @property {string[]} unjudgeable
 * @property {TaskSettings} settings
 * @property {boolean} [mixed] whether a session assigns documents of different topics in turn
 * @property {string} instructions
 * @property {Topic[]} topics
 * @property {Content[]} contents
 * @property {DocumentEntry[]} documents
 * @property {TaskItem[]} items
 * @property {Record<string, Sight>} views
 * @property {Start} [start]
 * @property {boolean} [named] in a session with norming rounds: whether the participant's name may be shown next to their reasons
 * @property {boolean} [preview] nothing is stored
 * @property {boolean} [served] belongs to a session, which sends items on request
 */
/** @typedef {{ client: string, number: number }} ActionName */
/**
 * @typedef {object} Action
 * @property {string} client
 * @property {number} number
 * @property {string} kind
 * @property {About} item
 * @property {string} time
 * @property {Record<string, any>} payload
 * @property {ActionName | null} target target of an undo or redo
 */

/**
 * Parse embedded JSON, and remove its text from the page.
 * @template T
 * @param {string} id
 * @returns {T | null} null where there is none
 */
export function takeJson(id) {
  const holder = document.getElementById(id);
  if (!(holder instanceof HTMLScriptElement)) {
    return null;
  }
  const content = JSON.parse(holder.textContent || "null");
  holder.remove();
  return content;
}

/**
 * Return the key of an item: topic, documents and occurrence.
 * @param {About} about
 * @returns {string}
 */
export function keyOf(about) {
  return JSON.stringify([about.topic, about.documents, about.occurrence]);
}

/**
 * Return a short name of a document: its title or id.
 * @param {Task} task
 * @param {string} id
 * @returns {string}
 */
export function titleOf(task, id) {
  const title = task.documents.find((each) => each.id === id)?.title || id;
  return title.length <= MAX_TITLE_LENGTH ? title : `${title.slice(0, MAX_TITLE_LENGTH - 1)}…`;
}

/**
 * Return the identity of an action.
 * @param {ActionName} action
 * @returns {string}
 */
export function nameOf(action) {
  return `${action.client} ${action.number}`;
}

/**
 * Return the precomputed view of a document for a topic: hits, best passage, snippet.
 * @param {Task} task
 * @param {number} topic
 * @param {number} document
 * @returns {Sight}
 */
export function sightOf(task, topic, document) {
  return task.views[`${topic}/${task.documents[document].content}`] || {};
}
