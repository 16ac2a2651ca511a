"""Tables of a running session: participants, progress by topic, late judgments."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from math import nan

from irjudge.stats.agreement import AgreementEstimate
from irjudge.web import ParticipantQuality, ParticipantStatus, describe_pair
from irjudge_ui.messages import filled, join_sentences, translate, translate_message, with_title
from irjudge_ui.models import Column
from irjudge_ui.workspace import format_seconds

# indices of columns that are hidden if a session has no values for them
GOLD_COLUMN, NOTICE_COLUMN, LATE_COLUMN, COMPLETED_COLUMN = 4, 5, 7, 8
SLOW_SECONDS = 10  # durations of at least this value are shown without tenths of seconds


class _GoldShare(float):
    """Share of correctly answered gold items: sorted as a number, displayed as "n of m"."""

    def __new__(cls, quality: ParticipantQuality) -> "_GoldShare":
        share = super().__new__(cls, quality.correct_count / quality.gold_count)
        share.text = filled(
            translate("SessionView", "{count} of {total}"),
            count=f"{quality.correct_count:,}",
            total=f"{quality.gold_count:,}",
        )
        return share

    text: str

    def __str__(self) -> str:
        return self.text


def can_be_taken_over(participant: ParticipantStatus) -> bool:
    """Return whether another person may join under the name of a participant.

    This is possible if the participant is excluded, or has not judged anything.
    """
    return participant.aside or not (
        participant.judged or participant.norming_count or participant.late
    )


def participant_label(participant: ParticipantStatus) -> str:
    """Return the name of a participant, followed by any other names that the participant used."""
    name = participant.name or participant.id
    return f"{name} = {participant.same}" if participant.same else name


def describe_agreement(estimate: AgreementEstimate | None) -> str:
    """Return sentences about the current agreement and the number of documents; empty for None."""
    if estimate is None:
        return ""
    return join_sentences(
        format_agreement(estimate),
        filled(
            translate("SessionView", "Based on {used} documents judged by at least two assessors."),
            used=f"{estimate.used:,}",
        ),
    )


def format_agreement(estimate: AgreementEstimate | None) -> str:
    """Return a sentence with the current agreement and its interval, if it can be computed."""
    if estimate is None or estimate.value is None:
        return translate("SessionView", "Agreement cannot be computed yet.")
    alpha, low, high = (
        "" if number is None else f"{number:.2f}".replace("-", "−")
        for number in (estimate.value, estimate.low, estimate.high)
    )
    template = (
        translate(
            "SessionView",
            "Agreement so far: α {alpha} (95 % interval: {low} to {high}); 1 is full agreement, 0 "
            "is chance level.",
        )
        if low and high
        else translate(
            "SessionView", "Agreement so far: α {alpha}; 1 is full agreement, 0 is chance level."
        )
    )
    return filled(template, alpha=alpha, low=low, high=high)


def participant_columns(notices: Mapping[str, ParticipantQuality]) -> list[Column]:
    """Return the columns of the table of participants.

    The columns refer to `notices`, so that they show changes of its content.
    """

    def gold_share(participant: ParticipantStatus) -> float:
        quality = notices.get(participant.id)
        return _GoldShare(quality) if quality and quality.gold_count else nan

    def flag_text(participant: ParticipantStatus) -> str:
        quality = notices.get(participant.id)
        return translate("SessionView", "⚠ flagged") if quality and quality.outlier_reasons else ""

    return [
        Column(translate("SessionView", "Name", "person"), participant_label),
        Column(
            translate("SessionView", "State"),
            _describe_state,
            help=translate(
                "SessionView",
                "Online: the page is open and has responded within the last 30 seconds. "
                "Excluded: none of the participant's judgments are used",
            ),
        ),
        *_work_columns(),
        Column(
            translate("SessionView", "Gold items"),
            gold_share,
            lambda value: "–" if value != value else str(value),
            number=True,
            help=translate(
                "SessionView", "Gold items answered correctly, out of all gold items shown"
            ),
        ),
        Column(
            translate("SessionView", "Flags"),
            flag_text,
            help=translate("SessionView", "Select a participant to see why they are flagged"),
        ),
        *_status_columns(),
    ]


def _work_columns() -> list[Column]:
    return [
        Column(
            translate("SessionView", "Judged"),
            lambda participant: participant.judged,
            lambda count: f"{count:,}",
            number=True,
            help=translate(
                "SessionView", "Documents that this participant judged, excluding late judgments"
            ),
        ),
        Column(
            translate("SessionView", "Median time"),
            lambda participant: nan if participant.seconds is None else participant.seconds,
            lambda value: (
                "–"
                if value != value
                else format_seconds(value, decimals=1 if value < SLOW_SECONDS else 0)
            ),
            number=True,
            help=translate("SessionView", "Median time of the last 50 judgments"),
        ),
    ]


def _status_columns() -> list[Column]:
    return [
        Column(
            translate("SessionView", "Reserved"),
            lambda participant: participant.held,
            number=True,
            help=translate(
                "SessionView",
                "Documents reserved for this participant: assigned but not judged yet",
            ),
        ),
        Column(
            translate("SessionView", "Late"),
            lambda participant: participant.late,
            number=True,
            help=translate(
                "SessionView",
                "Judgments that arrived after the document already had enough judgments; they "
                "are listed below",
            ),
        ),
        Column(
            translate("SessionView", "Completed"),
            _format_completion_time,
            help=translate(
                "SessionView",
                "Time at which the page showed the completion link of the crowd platform; "
                "stored even if judgments are undone later",
            ),
        ),
    ]


def _describe_state(participant: ParticipantStatus) -> str:
    if participant.aside:
        return (
            translate("SessionView", "withdrew")
            if participant.withdrawn
            else translate("SessionView", "excluded")
        )
    return (
        translate("SessionView", "online")
        if participant.here
        else translate("SessionView", "offline")
    )


def _format_completion_time(participant: ParticipantStatus) -> str:
    if participant.completed is None:
        return ""
    time = (
        datetime.fromisoformat(participant.completed.time).astimezone().strftime("%Y-%m-%d %H:%M")
    )
    return (
        filled(translate("SessionView", "{time}, failed attention checks"), time=time)
        if participant.completed.failed
        else time
    )


def describe_notices(
    participants: Sequence[ParticipantStatus],
    selected: ParticipantStatus | None,
    notices: Mapping[str, ParticipantQuality],
) -> str:
    """Return the selected participant's notices as sentences.

    If no participant is selected, return the names of all participants with notices.
    """
    if selected is not None:
        if (quality := notices.get(selected.id)) is None or not quality.outlier_reasons:
            return filled(
                translate("SessionView", "{name}: nothing flagged."),
                name=participant_label(selected),
            )
        return filled(
            translate("SessionView", "{name}: {sentences}"),
            name=participant_label(selected),
            sentences=join_sentences(*map(translate_message, quality.outlier_reasons)),
        )
    names = [
        participant_label(participant)
        for participant in participants
        if (quality := notices.get(participant.id)) and quality.outlier_reasons
    ]
    return (
        filled(
            translate("SessionView", "⚠ Flagged: {names}. Select a participant to see why."),
            names=", ".join(names),
        )
        if names
        else ""
    )


def topic_columns(titles: Mapping[str, str]) -> list[Column]:
    """Return the columns of the table of progress by topic; `titles` are titles by topic id."""
    return [
        Column(
            translate("SessionView", "Topic"),
            lambda row: with_title(row[0], titles.get(row[0], "")),
        ),
        Column(
            translate("SessionView", "Judged"),
            lambda row: row[1][0],
            lambda count: f"{count:,}",
            number=True,
        ),
        Column(
            translate("SessionView", "Needed"),
            lambda row: row[1][1],
            lambda count: f"{count:,}",
            number=True,
            help=translate(
                "SessionView",
                "Number of documents of the topic, multiplied by the "
                "number of judgments per document",
            ),
        ),
    ]


def late_columns() -> list[Column]:
    """Return the columns of the table of late judgments."""
    return [
        Column(translate("SessionView", "Name", "person"), lambda late: late[1]),
        Column(translate("SessionView", "Topic"), lambda late: late[2][0]),
        Column(translate("SessionView", "Document"), lambda late: describe_pair(late[2])),
    ]
