/** Norming rounds for the session leader: open, close, show documents, compare agreement. */

import { confirm } from "./dialogs.js";
import { button, el, reveal, setText } from "./dom.js";
import { documentPart } from "./rounds.js";
import { fill, sentences, tr } from "./words.js";

/** @import { Leader } from "./lead.js" */
/** @import { ShownDocument } from "./rounds.js" */

/** @typedef {{ statistic: string, scale: string, of: string, value: number | null, low: number | null, high: number | null }} Estimate */
/** @typedef {{ topic: string, document: string, title: string, name: string, split: boolean, votes: number }} RoundLine */
/**
 * @typedef {object} LedRound
 * @property {number} number
 * @property {number} documents
 * @property {string} closed
 * @property {boolean} qualifies
 * @property {number} [people]
 * @property {Estimate[]} [estimates]
 * @property {RoundLine[]} [list]
 * @property {{ name: string, met: number, asked: number }[]} [qualified]
 */
/** @typedef {{ over: boolean, open: boolean, shown: number | null, document: ShownDocument | null, rounds: LedRound[] }} LedNorming */

const DEFAULT_DOCUMENTS = 6; // default number of documents in a round

/** Card that controls the norming rounds. */
export class RoundsCard {
  /** @param {Leader} leader */
  constructor(leader) {
    this.leader = leader;
    this.count = el("input", { type: "number", id: "round-count", min: 1, max: 50, step: 1, value: DEFAULT_DOCUMENTS });
    this.count.addEventListener("wheel", (event) => document.activeElement !== this.count && event.preventDefault());
    this.qualifies = el("input", { type: "checkbox" });
    this.fresh = button(tr("Open a round"), () => this.open("new"), { class: "primary" });
    this.same = button(tr("Judge the same documents again"), () => this.askRepeat("same"));
    this.split = button(tr("Judge the disputed documents again"), () => this.askRepeat("split"));
    this.close = button(tr("Close the round for all"), () => this.askClose(), { class: "primary" });
    this.back = button(tr("Previous"), () => this.turn(-1));
    this.next = button(tr("Next document"), () => this.turn(1));
    this.hide = button(tr("Hide the document"), () => this.show(null));
    this.reopen = button(tr("Reopen the round"), () => this.askReopen());
    this.pool = button(tr("Start main judging"), () => this.askPool());
    this.words = el("p", { class: "quiet" });
    this.results = el("div", { class: "lead-table" });
    this.shown = el("div", {});
    this.asking = el(
      "div",
      { class: "row wrap" },
      el("label", { for: "round-count" }, tr("Documents")),
      this.count,
      el("label", { class: "row" }, this.qualifies, tr("qualifying round")),
      this.fresh,
    );
    this.turning = el("div", { class: "row wrap" }, this.back, this.next, this.hide);
    this.root = el(
      "section",
      { class: "card lead-rounds", hidden: true },
      el("h2", {}, tr("Norming rounds")),
      this.words,
      this.shown,
      this.turning,
      el("div", { class: "row wrap" }, this.close, this.same, this.split, this.reopen),
      this.asking,
      this.results,
      el("div", { class: "row wrap" }, this.pool),
    );
    this.at = 0;
    this.drawn = "";
    this.state = ""; // displayed state of the newest round, with its number of judgments
    this.isOpen = false;
    /** @type {LedRound | undefined} */
    this.newest = undefined;
  }

  /** @param {string} documents */
  open(documents) {
    const values = documents === "new" ? { documents, count: Number(this.count.value), qualifies: this.qualifies.checked } : { documents };
    void this.leader.do("round", values, (response) =>
      fill(tr("Round {number} is open. Documents: {documents}."), { number: response.number, documents: response.documents }),
    );
  }

  /** @param {"same" | "split"} documents asks before the next round is opened with documents of the last one */
  askRepeat(documents) {
    const title = documents === "same" ? tr("Judge the same documents again?") : tr("Judge the disputed documents again?");
    const count = (documents === "same" ? this.newest?.documents : this.newest?.list?.filter((each) => each.split).length) ?? 0;
    const parts = [
      fill(tr("This opens round {number} for all participants. Documents: {documents}."), {
        number: (this.newest?.number ?? 0) + 1,
        documents: count,
      }),
      tr(
        "The discussion of the last round will end, and its documents will no longer be shown. You will not be able to return to this discussion.",
      ),
    ];
    confirm(title, parts, tr("Open the round"), () => this.open(documents));
  }

  askClose() {
    const parts = [
      this.state,
      tr("Judging will stop, and every participant's page will show how the first document of the round was judged."),
      tr("You can reopen the round later, but by then participants will have seen the results."),
    ];
    confirm(tr("Close the round?"), parts, tr("Close the round"), () => this.closeRound());
  }

  askReopen() {
    const words = tr("Participants who add missing judgments have already seen the results, so these judgments are not independent.");
    confirm(tr("Reopen the round?"), [words], tr("Reopen the round"), () => this.reopenRound());
  }

  askPool() {
    const parts = this.newest
      ? [
          this.isOpen && sentences(this.state, tr("This closes the open round.")),
          tr(
            "This ends the norming rounds. Documents used in the rounds will not be assigned again; participants will judge the other documents of the pool.",
          ),
          tr("To continue the rounds later, reopen the last round."),
        ]
      : [tr("No norming round was opened. Participants will judge the documents of the pool, and you cannot open a norming round later.")];
    confirm(tr("Start main judging?"), parts, tr("Start main judging"), () => this.endRounds());
  }

  reopenRound() {
    void this.leader.do("reopen", {}, (response) =>
      fill(tr("Round {number} is open. Documents: {documents}."), { number: response.number, documents: response.documents }),
    );
  }

  endRounds() {
    void this.leader.do("pool", {}, () => tr("The rounds are finished."));
  }

  closeRound() {
    void this.leader.do("close", {}, (response) =>
      fill(tr("Round {number} is closed. Every participant's page now shows the first document of the round."), {
        number: response.number,
      }),
    );
  }

  /** @param {number} step */
  turn(step) {
    this.show(this.at + step);
  }

  /** @param {number | null} place */
  show(place) {
    void this.leader.do("show", { place }, () => "");
  }

  /** @param {{ norming: LedNorming | null, judged: number, wanted: number }} standing */
  showStanding({ norming, judged, wanted }) {
    reveal(this.root, norming !== null);
    if (!norming) {
      return;
    }
    const newest = norming.rounds[norming.rounds.length - 1];
    this.newest = newest;
    const isDiscussing = Boolean(newest) && !norming.open && !norming.over;
    this.state = stateWords(norming, newest, judged, wanted);
    this.isOpen = norming.open;
    setText(this.words, this.state);
    this.at = norming.shown ?? -1;
    this.back.disabled = this.at < 1;
    this.next.disabled = !newest || this.at >= newest.documents - 1;
    this.hide.disabled = norming.shown === null;
    const hasNext = isDiscussing && !this.next.disabled;
    this.next.classList.toggle("primary", hasNext);
    this.fresh.classList.toggle("primary", !hasNext);
    reveal(this.turning, isDiscussing);
    reveal(this.close, norming.open);
    reveal(this.same, isDiscussing);
    reveal(this.reopen, Boolean(newest) && !norming.open);
    reveal(this.split, isDiscussing && Boolean(newest.list?.some((each) => each.split)));
    reveal(this.asking, !norming.open && !norming.over);
    reveal(this.pool, !norming.over);
    this.draw(norming);
  }

  /** @param {LedNorming} norming */
  draw(norming) {
    const drawn = JSON.stringify([norming.document, norming.rounds]);
    if (drawn !== this.drawn) {
      this.drawn = drawn;
      this.shown.replaceChildren(...(norming.document ? [documentPart(norming.document, null)] : []));
      const closedRounds = norming.rounds.filter((each) => each.closed);
      this.results.replaceChildren(...(closedRounds.length ? [table(closedRounds), ...closedRounds.flatMap(more)] : []));
    }
  }
}

/** @param {LedNorming} norming @param {LedRound | undefined} newest @param {number} judged @param {number} wanted */
function stateWords(norming, newest, judged, wanted) {
  if (norming.over) {
    return tr("The rounds are finished; the rest of the pool is being judged.");
  }
  if (!newest) {
    return tr("Everyone judges the same documents independently, then discusses the results and judges again.");
  }
  return norming.open
    ? fill(tr("Round {number} is open: {judged} of {wanted} judgments."), { number: newest.number, judged, wanted })
    : fill(tr("Round {number} is closed for all participants."), { number: newest.number });
}

/** @param {LedRound[]} rounds */
function table(rounds) {
  const head = [tr("Round"), tr("Participants"), tr("Agreement (α)"), "κ", tr("Disputed")].map((words) =>
    el("th", { scope: "col" }, words),
  );
  const lines = rounds.map((round) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, String(round.number)),
      el("td", {}, String(round.people)),
      el("td", {}, allSame(round) ? tr("undefined: all judgments have the same grade") : estimateWords(round, "alpha", "ordinal")),
      el("td", {}, estimateWords(round, "kappa", "nominal")),
      el("td", {}, fill(tr("{count} of {total}"), { count: round.list?.filter((each) => each.split).length ?? 0, total: round.documents })),
    ),
  );
  return el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...lines));
}

/** @param {LedRound} round @returns {boolean} whether all judgments are equal, so that alpha is undefined */
function allSame({ estimates = [] }) {
  const valueOf = (/** @type {string} */ statistic, /** @type {string} */ scale) =>
    estimates.find((each) => each.statistic === statistic && each.scale === scale && !each.of)?.value;
  return valueOf("alpha", "ordinal") === null && valueOf("raw-agreement", "nominal") === 1;
}

/** @param {LedRound} round @param {string} statistic @param {string} scale @param {string} [of] */
function estimateWords(round, statistic, scale, of = "") {
  const estimate = round.estimates?.find((each) => each.statistic === statistic && each.scale === scale && each.of === of);
  if (!estimate || estimate.value === null) {
    return "–";
  }
  const [value, low, high] = [estimate.value, estimate.low, estimate.high].map((each) => (each ?? 0).toFixed(2).replace("-", "−"));
  return estimate.low === null ? value : fill(tr("{value} ({low} to {high})"), { value, low, high });
}

/** @param {LedRound} round @returns {HTMLElement[]} further results: agreement by grade, split documents, qualified participants */
function more(round) {
  const grades = (round.estimates ?? []).filter((each) => each.of && each.statistic === "alpha");
  const byGrade = grades.map((each) => `${tr(each.of)}: ${estimateWords(round, "alpha", each.scale, each.of)}`).join("; ");
  const splitDocuments = (round.list ?? []).filter((each) => each.split).map((each) => each.name);
  const ready = (round.qualified ?? []).map(({ name, met, asked }) => fill(tr("{name}: {met} of {asked} correct"), { name, met, asked }));
  const words = [
    sentences(fill(tr("Round {number}, α of each grade:"), { number: round.number }), byGrade),
    splitDocuments.length > 0 &&
      sentences(fill(tr("Round {number}, disputed documents:"), { number: round.number }), splitDocuments.join("; ")),
    ready.length > 0 && sentences(tr("Correct answers:"), ready.join("; ")),
  ];
  return words.filter((each) => typeof each === "string").map((each) => el("p", { class: "small quiet", dir: "auto" }, each));
}
