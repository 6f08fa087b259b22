"""What is printed on a mat and where: one sheet of paper for each seat, millimetres from its top left corner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Paper = Literal["a4", "letter"]
PAPERS_MM: Final[dict[Paper, tuple[float, float]]] = {"a4": (297.0, 210.0), "letter": (279.4, 215.9)}
"""Landscape: width and height."""

TAG_FAMILY: Final = "36h11"
TAGS_PER_MAT: Final = 4
FIRST_TAG: Final = 0
"""Seat 0 has the tags 0 to 3, seat 1 has 4 to 7 and so on, clockwise from the top left."""

RectMM = tuple[float, float, float, float]
"""Left, top, right, bottom."""


@dataclass(frozen=True, slots=True)
class MatLayout:
    """A sheet. `margin_mm` is what printers leave white at the edge; a tag is `tag_mm` wide and needs a white rim."""

    width_mm: float
    height_mm: float
    margin_mm: float = 8.0
    tag_mm: float = 26.0
    rim_mm: float = 5.0
    patch_mm: float = 16.0

    @classmethod
    def on(cls, paper: Paper) -> MatLayout:
        """The layout for a size of paper. Raises ValueError for one that is not known."""
        if paper not in PAPERS_MM:
            raise ValueError(f"expected paper of {' or '.join(PAPERS_MM)}, got {paper!r}")
        return cls(*PAPERS_MM[paper])

    def tags_mm(self) -> tuple[RectMM, RectMM, RectMM, RectMM]:
        """The four tags (black squares), clockwise from the top left."""
        near = self.margin_mm + self.rim_mm
        right, bottom = self.width_mm - near - self.tag_mm, self.height_mm - near - self.tag_mm
        return (
            self._square(near, near, self.tag_mm),
            self._square(right, near, self.tag_mm),
            self._square(right, bottom, self.tag_mm),
            self._square(near, bottom, self.tag_mm),
        )

    def roll_area_mm(self) -> RectMM:
        """Where the dice belong: between the tags' columns, and a little more at the top and bottom."""
        inset_x = self.margin_mm + 2 * self.rim_mm + self.tag_mm
        inset_y = self.margin_mm + self.rim_mm
        return (inset_x, inset_y, self.width_mm - inset_x, self.height_mm - inset_y)

    def patches_mm(self) -> tuple[tuple[RectMM, RectMM], tuple[RectMM, RectMM]]:
        """The white and the grey patch, once at the left and once at the right, between the tags."""
        left = self.margin_mm + self.rim_mm + (self.tag_mm - self.patch_mm) / 2
        right = self.width_mm - left - self.patch_mm
        white, grey = self.height_mm / 2 - self.patch_mm - 2, self.height_mm / 2 + 2
        return (
            (self._square(left, white, self.patch_mm), self._square(left, grey, self.patch_mm)),
            (self._square(right, white, self.patch_mm), self._square(right, grey, self.patch_mm)),
        )

    @staticmethod
    def _square(left: float, top: float, size: float) -> RectMM:
        return (left, top, left + size, top + size)


def tag_ids(seat: int) -> tuple[int, int, int, int]:
    """The numbers of a seat's tags, clockwise from the top left."""
    first = FIRST_TAG + TAGS_PER_MAT * seat
    return (first, first + 1, first + 2, first + 3)
