"""labels.csv, good and bad."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablesight.vision.evaluation.labels import Label, LabelError, read_labels

HEAD = "file,x0,y0,x1,y1,sides,body_color,numeral_color,value,verified,die,notes\n"


def labels(folder: Path, *rows: str) -> tuple[Label, ...]:
    (folder / "labels.csv").write_text(HEAD + "".join(f"{row}\n" for row in rows), encoding="utf-8-sig")
    return read_labels(folder)


def test_a_full_row(tmp_path: Path) -> None:
    (label,) = labels(tmp_path, 'a.jpg,1,2,30,40.5,20,purple,gold,17,1,my-d20,"oblique, by hand"')
    assert label == Label("a.jpg", (1, 2, 30, 40.5), 20, "purple", "gold", 17, verified=True, die="my-d20")
    assert label.is_scored
    assert label.has_face


def test_blanks_are_unknown(tmp_path: Path) -> None:
    (label,) = labels(tmp_path, "a.jpg,,,,,,,,,0,,")
    assert label == Label("a.jpg", None, None, None, None, None, verified=False)
    assert not label.has_face


def test_colours_without_a_name_of_ours_are_other(tmp_path: Path) -> None:
    (label,) = labels(tmp_path, "a.jpg,1,2,3,4,6,orange,red,3,1,,")
    assert (label.color, label.ink) == ("other", "other")


@pytest.mark.parametrize(
    ("row", "scored", "has_face"),
    [
        pytest.param("a.jpg,1,2,3,4,10,pink,white,7,1,,", False, False, id="a d10 is not scored"),
        pytest.param("a.jpg,1,2,3,4,4,red,white,2,1,,", False, False, id="nor a d4"),
        pytest.param("a.jpg,1,2,3,4,8,red,white,2,0,,", True, False, id="an unverified face does not count"),
        pytest.param("a.jpg,1,2,3,4,8,red,white,,0,,", True, False, id="nor a missing one"),
    ],
)
def test_what_counts(row: str, scored: bool, has_face: bool, tmp_path: Path) -> None:
    (label,) = labels(tmp_path, row)
    assert (label.is_scored, label.has_face) == (scored, has_face)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        pytest.param(",1,2,3,4,6,red,white,2,1,,", "the name of a photo", id="no file"),
        pytest.param("a.jpg,1,2,3,,6,red,white,2,1,,", "four numbers", id="half a box"),
        pytest.param("a.jpg,left,2,3,4,6,red,white,2,1,,", "four numbers", id="a word in the box"),
        pytest.param("a.jpg,30,2,3,4,6,red,white,2,1,,", "x0 < x1", id="an inside-out box"),
        pytest.param("a.jpg,nan,2,3,4,6,red,white,2,1,,", "pixels of the photo", id="no number in the box"),
        pytest.param("a.jpg,1,2,inf,1e400,6,red,white,2,1,,", "pixels of the photo", id="a box without end"),
        pytest.param("a.jpg,1,2,9,9,6,red,white,99,1,,", "from 1 to 6 on a d6", id="a number that the die has not"),
        pytest.param("a.jpg,1,2,9,9,6,red,white,0,1,,", "from 1 to 6 on a d6", id="a zero that the die has not"),
        pytest.param("a.jpg,1,2,9,9,6,red,white,1_0,1,,", "value from 0", id="a number with a line in it"),
        pytest.param("a.jpg,1_0,2,19,9,6,red,white,1,1,,", "four numbers", id="a side with a line in it"),
        pytest.param("a.jpg,1,2,9,9,8,red,white,,1,,", "since verified is 1, got a blank", id="verified without value"),
        pytest.param("a.jpg,1,2,9,9", "12 cells", id="too few cells"),
        pytest.param("b.jpg,1,2,9,9,6,red,white,2,1,,left, below", "12 cells", id="a comma without quotes"),
        pytest.param(",,,,,,,,,,,", "the name of a photo", id="nothing but blanks"),
        pytest.param("a.jpg,1,2,3,4,6,red,white,2,1,,", "line 2 and again in line 3", id="a line twice"),
        pytest.param("./a.jpg,1,2.0,3,4,6,red,black,3,0,,", "line 2 and again in line 3", id="a die twice"),
        pytest.param("a.jpg,,,,,,,,,1,,", "line 2 and line 3", id="no die in a photo with a die"),
        pytest.param("a.jpg,1,2,3,4,6,red,white,2,yes,,", "verified 0, 1 or blank", id="verified in words"),
        pytest.param("a.jpg,1,2,3,4,six,red,white,2,1,,", "sides from 2 to 100", id="sides in words"),
        pytest.param("a.jpg,1,2,3,4,6,red,white,-2,1,,", "value from 0 to 100", id="a negative face"),
    ],
)
def test_bad_rows_are_named_by_line(row: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(LabelError) as caught:
        labels(tmp_path, "a.jpg,1,2,3,4,6,red,white,2,1,,", row)
    assert words in str(caught.value)
    assert "line 3" in str(caught.value)


def test_a_missing_file_or_column_is_told(tmp_path: Path) -> None:
    with pytest.raises(LabelError, match="readable"):
        read_labels(tmp_path)
    (tmp_path / "labels.csv").write_text("file,box\na.jpg,1\n")
    with pytest.raises(LabelError, match="none of x0"):
        read_labels(tmp_path)


def test_no_die_twice_is_told(tmp_path: Path) -> None:
    with pytest.raises(LabelError, match="line 2 and line 4"):
        labels(tmp_path, "a.jpg,,,,,,,,,1,,", "b.jpg,,,,,,,,,1,,", "a.jpg,,,,,,,,,1,,")


def test_two_dice_of_unknown_place_may_look_alike(tmp_path: Path) -> None:
    assert len(labels(tmp_path, "a.jpg,,,,,6,red,white,2,1,,", "a.jpg,,,,,6,red,white,2,1,,")) == 2


ROW = "a.jpg,1,2,30,40,20,purple,gold,17,1,my-d20,left"


@pytest.mark.parametrize(
    "data",
    [
        pytest.param((HEAD + ROW).encode(), id="no end of line"),
        pytest.param((HEAD + ROW + "\n").replace("\n", "\r\n").encode(), id="of Windows"),
        pytest.param((HEAD + ROW).replace("\n", "\r").encode(), id="of an old Mac"),
        pytest.param((HEAD + ROW.removesuffix(",left")).encode(), id="no cell for the notes"),
        pytest.param(b"\xef\xbb\xbf" + (HEAD + ROW).encode(), id="a mark at the beginning"),
        pytest.param((HEAD + ROW).replace(",", ";").encode(), id="semicolons"),
        pytest.param((HEAD + ROW).replace(",", "\t").encode(), id="tabs"),
        pytest.param((HEAD.replace(",", " , ") + ROW + ",,,\n\n\n").encode(), id="blanks and blank cells"),
    ],
)
def test_what_spreadsheets_make_of_it_is_read(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_bytes(data)
    (label,) = read_labels(tmp_path)
    assert label == Label("a.jpg", (1, 2, 30, 40), 20, "purple", "gold", 17, verified=True, die="my-d20")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        pytest.param(b"", "got none of file", id="empty"),
        pytest.param(HEAD.encode(), "got none after the names of the columns: add them", id="no line"),
        pytest.param(HEAD.replace("file", "file,value").encode(), "got value twice: delete one", id="a column twice"),
        pytest.param(b"\xff\xfe" + HEAD.encode("utf-16-le"), "save it as CSV in UTF-8", id="UTF-16"),
        pytest.param((HEAD + "a.jpg,,,,,,,,,0,,Gr\xfcn").encode("latin-1"), "save it as CSV in UTF-8", id="Latin-1"),
    ],
)
def test_a_file_that_is_none_is_told(data: bytes, words: str, tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_bytes(data)
    with pytest.raises(LabelError) as caught:
        read_labels(tmp_path)
    assert words in str(caught.value)
