/** Task of a session, to which the server adds items with their texts. */

/** @import { Content, DocumentEntry, Sight, Task, TaskItem, Topic } from "./task.js" */

/**
 * An item from the server; its numbers are indexes into the lists sent with it.
 * @typedef {object} Parts
 * @property {Topic[]} topics
 * @property {Content[]} contents
 * @property {DocumentEntry[]} documents
 * @property {TaskItem[]} items
 * @property {Record<string, Sight>} views
 */

/**
 * Add an item to a task, with the parts that the task lacks.
 * @param {Task} task
 * @param {number} given its position among the participant's items
 * @param {Parts} parts
 * @returns {boolean} whether it is new
 */
export function addParts(task, given, parts) {
  if (task.items.some((item) => item.given === given)) {
    return false;
  }
  const topics = parts.topics.map((topic) => placeIn(task.topics, topic, ({ id }) => id));
  const contents = parts.contents.map((content) => placeIn(task.contents, content, ({ digest }) => digest));
  const entries = parts.documents.map((entry) => ({ ...entry, content: contents[entry.content] }));
  const documents = entries.map((entry) => placeIn(task.documents, entry, ({ id }) => id));
  for (const [name, sight] of Object.entries(parts.views)) {
    const [topic, content] = name.split("/").map(Number);
    task.views[`${topics[topic]}/${contents[content]}`] = sight;
  }
  for (const item of parts.items) {
    task.items.push({ ...item, given, topic: topics[item.topic], documents: item.documents.map((each) => documents[each]) });
  }
  return true;
}

/**
 * @template T
 * @param {T[]} list
 * @param {T} thing
 * @param {(thing: T) => string} name
 * @returns {number} index in the list
 */
function placeIn(list, thing, name) {
  const position = list.findIndex((each) => name(each) === name(thing));
  return position < 0 ? list.push(thing) - 1 : position;
}
