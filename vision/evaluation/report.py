"""The figures as a page of Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tablesight.vision.evaluation.outcome import FolderOutcome
from tablesight.vision.evaluation.rate import Rate
from tablesight.vision.evaluation.summary import Summary, by_color, by_kind, by_sides, summarize, summarize_by


def render_report(folders: Sequence[FolderOutcome], command: str, date: str, montage: str | None) -> str:
    """The whole page: how it was made, a table of folders, shapes and kinds, calibration, coverage, the worst reads.

    `montage` is the picture's path relative to the page, None where nothing was read wrong.
    """
    pooled = summarize("all", folders)
    each = [summarize(folder.name, [folder]) for folder in folders]
    parts = [
        "# How well the dice are read",
        f"Made by `{command}` on {date}. Shares are followed by hits/of and the 95 % interval (Wilson). Faces count "
        "where a careful reader verified them; d10 are not scored; precision counts only where every die is labelled.",
        "## By folder",
        _table([*each, pooled] if len(each) > 1 else each, FOLDER_COLUMNS),
        "## Whole photos",
        "Whole photo: all dice found, all faces right, nothing else found. Whole hand: so are shape, colour and ink. "
        "Silent: no die would be asked about.",
        _table(_with_total(each, pooled, "hand"), PHOTO_COLUMNS),
        "## Photos without dice",
        _empty(each, pooled),
        "## By shape",
        _table(summarize_by(folders, by_sides).values(), DIE_COLUMNS),
        "## By colour",
        _table(summarize_by(folders, by_color).values(), DIE_COLUMNS),
        "## By kind",
        _table(summarize_by(folders, by_kind).values(), DIE_COLUMNS),
        "## Calibration",
        _ece(pooled),
        _rows(
            ("confidence", "mean", "right"),
            (
                (f"{group.low:g} to {group.high:g}", f"{group.mean_confidence:.3f}", str(group.right))
                for group in pooled.reliability
            ),
        ),
        "## Accuracy against coverage",
        _rows(
            ("confidence from", "dice left", "all right", "face right"),
            (
                (f"{point.threshold:g}", _short(point.coverage), str(point.accuracy), str(face.accuracy))
                for point, face in zip(pooled.curve, pooled.face_curve, strict=True)
            ),
        ),
        "## Faces mistaken",
        _rows(("is", "read as", "times"), ((str(t), str(r), str(n)) for t, r, n in pooled.confusions[:20])),
    ]
    if montage is not None:
        parts += ["## The surest of the wrong", f"![dice read wrong, with what was read and what they show]({montage})"]
    failed = [photo for folder in folders for photo in folder.photos if photo.error is not None]
    if failed:
        parts += ["## Photos that could not be read", *(f"- {photo.photo.name}: {photo.error}" for photo in failed)]
    return "\n\n".join(parts) + "\n"


def render_table(folders: Sequence[FolderOutcome]) -> str:
    """The figures for a terminal: a block for each folder, then all pooled."""
    summaries = [summarize(folder.name, [folder]) for folder in folders]
    if len(folders) > 1:
        summaries.append(summarize("all", folders))
    blocks = []
    for summary in summaries:
        unreadable = f", {summary.unreadable} unreadable" if summary.unreadable else ""
        lines = [f"{summary.name}: {summary.photos} photos{unreadable}"]
        for title, name in (*FOLDER_COLUMNS, *MORE_LINES, *PHOTO_COLUMNS, *EMPTY_LINES):
            rate: Rate = getattr(summary, name)
            if rate.of:
                lines.append(f"  {title:<22} {rate}")
        if summary.empty_clean.of:
            lines.append(f"  {'dice found in those':<22} {summary.false_dice}, {summary.false_accepted} accepted")
        if summary.ece is not None:
            lines.append(f"  {'calibration error':<22} {summary.ece:.3f}")
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


FOLDER_COLUMNS = (
    ("found", "recall"),
    ("IoU 0.5", "tight"),
    ("precision", "precision"),
    ("face", "face"),
    ("sides", "sides"),
    ("colour", "color"),
    ("ink", "ink"),
    ("accepted", "accepted"),
    ("wrong of those", "accepted_face_wrong"),
    ("face sure", "face_sure"),
    ("wrong of these", "face_sure_wrong"),
)
"""Heading and the field of `Summary`."""
DIE_COLUMNS = tuple(column for column in FOLDER_COLUMNS if column[1] != "precision")
PHOTO_COLUMNS = (
    ("whole photo", "whole_photo"),
    ("whole hand", "hand"),
    ("silent and right", "hand_silent_right"),
    ("silent and wrong", "hand_silent_wrong"),
)
EMPTY_LINES = (("photos without a find", "empty_clean"), ("with one accepted", "empty_accepted"))
MORE_LINES = (
    ("colour of the game's", "named_color"),
    ("sign of red dice", "red_sign"),
    ("kind", "kind"),
    ("found and face right", "end_to_end"),
    ("anything wrong of acc.", "accepted_wrong"),
    ("photos silently wrong", "whole_photo_silent_wrong"),
)


def _with_total(each: Sequence[Summary], pooled: Summary, counted: str) -> list[Summary]:
    """The folders for which `counted`, a field of `Summary`, is a share of anything, and all of them together."""
    some = [summary for summary in each if getattr(summary, counted).of]
    return [*some, pooled] if len(some) > 1 else some


def _empty(each: Sequence[Summary], pooled: Summary) -> str:
    return _rows(
        ("", "nothing found", "something accepted", "found in all", "accepted in all"),
        (
            (s.name, _short(s.empty_clean), _short(s.empty_accepted), str(s.false_dice), str(s.false_accepted))
            for s in _with_total(each, pooled, "empty_clean")
        ),
    )


def _table(summaries: Iterable[Summary], columns: Sequence[tuple[str, str]]) -> str:
    return _rows(
        ("", *(title for title, _ in columns)),
        ((summary.name, *(_short(getattr(summary, name)) for _, name in columns)) for summary in summaries),
    )


def _rows(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(cells)} |" for cells in rows]
    if not lines:
        return "None."
    return "\n".join([f"| {' | '.join(head)} |", "|" + " --- |" * len(head), *lines])


def _short(rate: Rate) -> str:
    if rate.value is None or rate.interval is None:
        return "-"
    low, high = rate.interval
    return f"{100 * rate.value:.1f} % ({rate.hits}/{rate.of}, {100 * low:.0f}-{100 * high:.0f})"


def _ece(summary: Summary) -> str:
    if summary.ece is None:
        return "No die with a verified face."
    return (
        f"Expected calibration error {summary.ece:.3f}. A die counts as right where face and whatever else is labelled "
        "(shape, colour, ink) are right."
    )
