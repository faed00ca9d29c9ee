package org.terrace.report.plan;

import java.util.List;

/**
 * A table whose cells are shaded by their size: columns side by side, rows below each other.
 * Immutable.
 *
 * @param title what it shows
 * @param caption how to read it
 * @param corner the name of the rows
 * @param columns the names of the columns
 * @param rows the rows, each with a cell for each column
 */
public record HeatMap(
    String title, String caption, String corner, List<String> columns, List<Row> rows) {
  /** The steps of each shade. */
  public static final int STEPS = 5;

  /** Copies the lists. */
  public HeatMap {
    columns = List.copyOf(columns);
    rows = List.copyOf(rows);
  }

  /**
   * A row.
   *
   * @param name its name
   * @param cells its cells
   */
  public record Row(String name, List<Cell> cells) {
    /** Copies the list. */
    public Row {
      cells = List.copyOf(cells);
    }
  }

  /** The meaning of a shade. */
  public enum Tone {
    /** A value of which more is better. */
    GAIN,
    /** A value of which more is worse. */
    LOSS,
    /** A degree of use: more is fuller. */
    FULL;

    /** The word for it in style sheets. */
    public String word() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /**
   * A cell.
   *
   * @param text what stands in it
   * @param detail what stands below, smaller; may be empty
   * @param tone the meaning of its shade
   * @param step how strong the shade is, 0 for none to {@value HeatMap#STEPS}
   * @param marked whether it stands out as the best of its column
   */
  public record Cell(String text, String detail, Tone tone, int step, boolean marked) {
    /** A cell where nothing was measured. */
    static final Cell EMPTY = new Cell("–", "", Tone.GAIN, 0, false);

    /** The step of a value between nothing and the most. */
    static int step(double value, double most) {
      return most <= 0 ? 0 : Math.clamp(Math.round(STEPS * value / most), 0, STEPS);
    }
  }
}
