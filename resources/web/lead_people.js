/** Table of participants: progress, quality and controls. */

import { confirm, openDialog } from "./dialogs.js";
import { button, el, reveal, setText } from "./dom.js";
import { copyText, showPicture } from "./lead_cards.js";
import { fill, tr } from "./words.js";

/** @import { Leader } from "./lead.js" */
/** @import { Seat, Standing } from "./lead_cards.js" */
/** @import { Choice } from "./dialogs.js" */

/** @typedef {{ gold: [number, number], agreement: number | null }} Quality */
/** @typedef {{ seat: Seat, root: HTMLElement, name: HTMLElement, cells: HTMLElement[], what: HTMLElement }} Line */

/** Table of participants, most judgments first, with a search field. */
export class PeopleCard {
  /** @param {Leader} leader */
  constructor(leader) {
    this.leader = leader;
    /** @type {Seat[]} */
    this.seats = [];
    /** @type {Record<string, Quality>} */
    this.quality = {};
    this.share = 0;
    this.ended = false;
    this.byCode = true;
    this.isOpen = true;
    this.by = "judged";
    this.down = true;
    /** @type {Map<string, Line>} */
    this.lines = new Map();
    this.order = "";
    this.find = el("input", { type: "search", "aria-label": tr("Find a participant"), placeholder: tr("Find a participant") });
    this.find.addEventListener("input", () => this.draw());
    this.body = el("tbody");
    this.heads = columns().map((column) =>
      el(
        "th",
        { scope: "col", class: column.wide ? "wide-only" : "" },
        button(column.title, () => this.sort(column.name), { class: "link", title: column.help }),
      ),
    );
    const head = el("thead", {}, el("tr", {}, ...this.heads, el("th", { scope: "col" }, el("span", { class: "spoken" }, tr("Actions")))));
    /** @type {{ id: string, name: string }[]} */
    this.unused = [];
    this.free = button(tr("Free unused seats"), () => this.askFree());
    this.count = el("h2", { class: "grow" });
    this.nobody = el("p", { class: "quiet" });
    this.root = el(
      "section",
      { class: "card lead-people" },
      el("div", { class: "row wrap" }, this.count, this.find, this.free),
      el(
        "div",
        { class: "lead-table", tabindex: 0, role: "region", "aria-label": tr("Participants") },
        el("table", { class: "review" }, head, this.body),
      ),
      this.nobody,
    );
  }

  /** Request the quality, which takes longer than the status. */
  async lookClosely() {
    this.quality = (await this.leader.request("quality")).people;
    this.draw();
  }

  /** @param {Standing} standing */
  show({ state, join, panel, people, share, unused }) {
    this.ended = state === "ended";
    this.seats = this.ended ? people.map((seat) => ({ ...seat, here: null })) : people;
    this.unused = unused;
    this.byCode = join !== "links";
    this.isOpen = join === "open";
    reveal(this.free, !this.ended && this.byCode);
    this.share = share;
    setText(this.count, fill(tr("Participants: {people}"), { people: people.length }));
    setText(this.nobody, nobodyWords(this.ended, this.byCode && !panel.length));
    reveal(this.nobody, !people.length);
    this.draw();
  }

  /** @param {string} name sorts by a column; the same column again reverses the order */
  sort(name) {
    this.down = name === this.by ? !this.down : name !== "name";
    this.by = name;
    this.draw();
  }

  draw() {
    const all = columns();
    const by = all.find(({ name }) => name === this.by) ?? all[0];
    const query = this.find.value.trim().toLowerCase();
    const matches = this.seats.filter((seat) => `${seat.name} ${seat.id}`.toLowerCase().includes(query));
    const sortable = matches.map((seat) => ({ seat, key: by.key(seat, this.quality[seat.id]) }));
    sortable.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0) * (this.down ? -1 : 1));
    this.heads.forEach((head, place) => {
      const isSorted = all[place].name === this.by;
      head.setAttribute("aria-sort", isSorted ? (this.down ? "descending" : "ascending") : "none");
    });
    const lines = sortable.map(({ seat }) => this.line(seat, all));
    this.showColumns(all);
    for (const row of [...this.body.children].filter((each) => !lines.includes(/** @type {HTMLElement} */ (each)))) {
      row.remove();
    }
    const order = JSON.stringify(sortable.map(({ seat }) => seat.id));
    if (this.body.contains(document.activeElement)) {
      this.body.append(...lines.filter((line) => !this.body.contains(line))); // rows do not move while a button is used
    } else if (order !== this.order) {
      this.order = order;
      this.body.replaceChildren(...lines);
    }
  }

  /** @param {Column[]} all hides columns that are empty for every participant */
  showColumns(all) {
    all.forEach((column, place) => {
      const hasText = this.seats.some((seat) => column.words(seat, this.quality[seat.id], this.share));
      const isUsed = hasText || !(column.wide || this.seats.length);
      reveal(this.heads[place], isUsed);
      for (const { cells } of this.lines.values()) {
        if (place) {
          reveal(cells[place - 1], isUsed);
        }
      }
    });
  }

  /** @param {Seat} seat @param {Column[]} all @returns {HTMLElement} row of a participant */
  line(seat, all) {
    const line = this.lines.get(seat.id) ?? this.newLine(seat, all);
    line.seat = seat;
    line.root.classList.toggle("quiet", seat.aside);
    setText(line.name, all[0].words(seat, undefined, 0));
    line.what.setAttribute("aria-label", fill(tr("Actions for {seat}"), { seat: seat.name || seat.id }));
    line.cells.forEach((cell, place) => setText(cell, all[place + 1].words(seat, this.quality[seat.id], this.share)));
    return line.root;
  }

  /** @param {Seat} seat @param {Column[]} all @returns {Line} */
  newLine(seat, all) {
    const name = el("bdi");
    const cells = all.slice(1).map((column) => el("td", { class: column.wide ? "wide-only" : "" }));
    const menuButton = button("⋯", () => this.choose(line.seat));
    const root = el("tr", {}, el("th", { scope: "row" }, name), ...cells, el("td", {}, menuButton));
    const line = { seat, root, name, cells, what: menuButton };
    this.lines.set(seat.id, line);
    return line;
  }

  /** Ask before freeing the seats of participants who did nothing and whose page is closed. */
  askFree() {
    if (!this.unused.length) {
      this.leader.say(tr("No seat can be freed: every participant is online or has begun to judge."), "");
      return;
    }
    const ids = this.unused.map(({ id }) => id);
    const names = this.unused.map(({ name }) => name).join(", ");
    const words = [
      names,
      tr(
        "These participants have not judged anything, and their pages are closed. To take part, they will have to join again, and others will be able to use their names.",
      ),
    ];
    const call = () =>
      this.leader.do("free-empty", { people: ids }, ({ count }) => fill(tr("Seats freed: {count} ({names})."), { count, names }));
    confirm(fill(tr("Free unused seats ({count})?"), { count: ids.length }), words, tr("Free unused seats"), call);
  }

  /** @param {Seat} seat opens the controls of a participant */
  choose(seat) {
    const acts = this.acts(seat);
    const run = (/** @type {Choice} */ act) => {
      dialog.addEventListener("close", () => act.call?.());
      dialog.close();
    };
    const buttons = acts.map((act) => button(act.label, () => run(act), { class: "choice" }));
    const parts = [
      el(
        "div",
        { class: "menu" },
        ...buttons,
        this.sameAs(seat, () => dialog.close()),
      ),
    ];
    const title = seat.name || seat.id;
    const choices = [{ label: tr("Close"), quiet: true }];
    const dialog = openDialog({ title, parts, choices, closed: () => {}, style: "small-dialog" });
  }

  /** @param {Seat} seat @returns {Choice[]} what can be done about a participant; after the end only what still has an effect */
  acts(seat) {
    const name = seatName(seat);
    const include = { label: tr("Include again"), call: () => this.do(seat, "back", tr("{name} is included again.")) };
    const exclude = (/** @type {string} */ label) => ({ label, call: () => this.askExclude(seat) });
    if (this.ended) {
      return [seat.aside ? include : exclude(tr("Exclude: the participant's judgments are not used"))];
    }
    const release = () =>
      this.leader.do("release", { person: seat.id }, ({ count }) =>
        fill(tr("Documents of {name} that were released: {count}."), { name, count }),
      );
    const canFree = this.byCode && (seat.aside || !(seatCount(seat) || seat.late)); // none of its judgments count
    return [
      ...(seat.aside ? [] : [{ label: tr("Readmit with a new link"), call: () => this.askLetIn(seat) }]), // stays excluded
      ...(seat.revoked
        ? []
        : [
            {
              label: tr("Revoke access: the participant's page stops working, but the judgments are kept"),
              call: () => this.askRevoke(seat),
            },
          ]),
      { label: tr("Release documents: others can get this participant's documents at once"), call: release },
      seat.aside ? include : exclude(tr("Exclude: the participant's judgments are not used, and others get the participant's documents")),
      ...(canFree ? [{ label: tr("Free the seat: the name can be used again"), call: () => this.askFreeSeat(seat) }] : []),
    ];
  }

  /** @param {Seat} seat @param {string} command @param {string} words sends a command about a participant */
  do(seat, command, words) {
    return this.leader.do(command, { person: seat.id }, () => fill(words, { name: seatName(seat) }));
  }

  /** @param {Seat} seat */
  askRevoke(seat) {
    const words = [
      tr("The participant's link and open page will stop working. The judgments are kept. To readmit the participant, create a new link."),
      this.isOpen && tr("The participant can still use the code to join under another name."),
    ];
    const title = fill(tr("Revoke the access of {name}?"), { name: seatName(seat) });
    confirm(title, words, tr("Revoke"), () => this.do(seat, "revoke", tr("{name} no longer has access. The judgments are kept.")));
  }

  /** @param {Seat} seat */
  askLetIn(seat) {
    const words = tr("The participant will get a new link. The old link and the open page will stop working. The judgments are kept.");
    const title = fill(tr("Readmit {name} with a new link?"), { name: seatName(seat) });
    confirm(title, [words], tr("Readmit"), () => void this.letIn(seat));
  }

  /** @param {Seat} seat */
  askExclude(seat) {
    const name = seatName(seat);
    const words = [
      fill(tr("Judgments that will no longer be used: {count}."), { count: seatCount(seat) }),
      !this.ended &&
        fill(tr("The documents of these judgments will be assigned to others, and {name} will get no more documents."), { name }),
      tr("You can include this participant again later."),
    ];
    confirm(fill(tr("Exclude {name}?"), { name }), words, tr("Exclude"), () => this.do(seat, "aside", tr("{name} is excluded.")));
  }

  /** @param {Seat} seat */
  askFreeSeat(seat) {
    const words = tr(
      "The participant's link and open page will stop working, and anyone with the code will be able to join under this name.",
    );
    const call = () => this.do(seat, "free", tr("The name {name} can be used again."));
    confirm(fill(tr("Free {name}'s seat?"), { name: seatName(seat) }), [words], tr("Free the seat"), call);
  }

  /** @param {Seat} seat @param {() => void} close */
  sameAs(seat, close) {
    const otherSeats = this.seats.filter(({ id }) => id !== seat.id);
    const name = seat.name || seat.id;
    const options = otherSeats.map((other) => el("option", { value: other.id }, other.name || other.id));
    const list = el("select", { id: "same-as" }, el("option", { value: "" }, tr("Choose a participant")), ...options);
    const merge = button(tr("Merge…"), () => {
      close();
      const other = otherSeats.find(({ id }) => id === list.value);
      if (other) {
        this.askMerge(seat, other);
      }
    });
    merge.disabled = true;
    list.addEventListener("change", () => {
      merge.disabled = !list.value;
    });
    const label = el("label", { for: "same-as", dir: "auto" }, fill(tr("{name} is the same participant as"), { name }));
    return otherSeats.length ? el("div", { class: "same-as" }, label, el("div", { class: "row" }, list, merge)) : null;
  }

  /** @param {Seat} seat @param {Seat} other whose name remains */
  askMerge(seat, other) {
    const names = { name: seat.name || seat.id, other: other.name || other.id };
    const call = () =>
      this.leader.do("same", { person: seat.id, other: other.id }, () =>
        fill(tr("{name} and {other} now count as one participant, listed as {other}. No judgment was changed."), names),
      );
    const words = [
      fill(
        tr(
          "The two names will count as one participant, listed as {other}. If a document was judged under both names, only the judgment of {other} will be used.",
        ),
        names,
      ),
      seat.aside !== other.aside &&
        tr(
          "One of these participants is excluded. After merging, the judgments of both are ignored until you include the merged participant again.",
        ),
      tr("No judgment will be changed, but you will not be able to separate the names again."),
    ];
    confirm(fill(tr("Merge {name} with {other}?"), names), words, tr("Merge"), call);
  }

  /** @param {Seat} seat shows the new personal link of a participant */
  async letIn(seat) {
    const response = await this.leader.do("let", { person: seat.id }, () =>
      fill(tr("{name} has a new link. The old link no longer works."), { name: seat.name || seat.id }),
    );
    if (response) {
      const link = `${location.origin}/#t=${response.token}`;
      const picture = el("div", { class: "lead-picture" });
      void showPicture(picture, link, this.leader);
      const parts = [
        el("p", {}, tr("Only for this participant: anyone with this link can judge as this participant.")),
        picture,
        el("p", { class: "address" }, link),
        button(tr("Copy the link"), () => copyText(link, this.leader)),
      ];
      openDialog({ title: seat.name || seat.id, parts, choices: [{ label: tr("Close") }], closed: () => {} });
    }
  }
}

/** @typedef {{ name: string, title: string, help?: string, wide?: boolean, key: (seat: Seat, quality?: Quality) => string | number, words: (seat: Seat, quality: Quality | undefined, share: number) => string }} Column */

/** @returns {Column[]} */
function columns() {
  const part = (/** @type {[number, number] | undefined} */ pair) => (pair?.[1] ? pair[0] / pair[1] : -1);
  return [
    {
      name: "name",
      title: tr("Name"),
      key: (seat) => seat.name || seat.id,
      words: (seat) => [seatName(seat), ...(seat.same ? [seat.same] : [])].join(" = "),
    },
    {
      name: "judged",
      title: tr("Judged"),
      key: (seat) => seat.judged,
      words: (seat, _quality, share) =>
        share ? fill(tr("{count} of {total}"), { count: seat.judged + seat.late, total: share }) : String(seat.judged),
    },
    {
      name: "seconds",
      wide: true,
      title: tr("Seconds per item"),
      key: (seat) => seat.seconds ?? -1,
      words: (seat) => (seat.seconds === null ? "" : String(Math.round(seat.seconds))),
    },
    {
      name: "gold",
      wide: true,
      title: tr("Gold items correct"),
      help: tr("Gold items answered correctly, out of all gold items shown"),
      key: (_seat, quality) => part(quality?.gold),
      words: (_seat, quality) =>
        quality?.gold[1] ? fill(tr("{count} of {total}"), { count: quality.gold[0], total: quality.gold[1] }) : "",
    },
    {
      name: "agreement",
      wide: true,
      title: tr("Agreement with others"),
      help: tr("Mean share of the other participants who gave a document the same grade as this participant"),
      key: (_seat, quality) => quality?.agreement ?? -1,
      words: (_seat, quality) => (typeof quality?.agreement === "number" ? `${Math.round(100 * quality.agreement)} %` : ""),
    },
    { name: "late", wide: true, title: tr("Late"), key: (seat) => seat.late, words: (seat) => String(seat.late || "") },
    { name: "state", title: tr("State"), key: stateOf, words: stateOf },
  ];
}

/** @param {boolean} ended @param {boolean} withCode whether participants join with the code @returns {string} */
function nobodyWords(ended, withCode) {
  if (ended) {
    return tr("Nobody joined.");
  }
  return withCode ? tr("Nobody has joined yet. Show the code, or send the link.") : tr("Nobody has joined yet.");
}

/** @param {Seat} seat @returns {string} */
function seatName(seat) {
  return seat.name || seat.id;
}

/** @param {Seat} seat @returns {number} its judgments that are used */
function seatCount(seat) {
  return seat.judged + seat.norming_count;
}

/** @param {Seat} seat @returns {string} */
function stateOf(seat) {
  if (seat.aside) {
    return seat.withdrawn ? tr("withdrew") : tr("excluded");
  }
  if (seat.revoked) {
    return tr("access revoked");
  }
  if (seat.completed) {
    return seat.completed[1] === "failed" ? tr("failed attention checks") : tr("complete");
  }
  return seat.here === null ? "" : seat.here ? tr("online") : tr("offline");
}
