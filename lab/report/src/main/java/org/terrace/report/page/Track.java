package org.terrace.report.page;

/**
 * A series reduced to at most so many columns of equal width, each with the least and the greatest
 * value of the windows in it, so that no peak is lost. Immutable, except that the arrays are
 * shared.
 *
 * @param startSeconds the start of the first column, from the origin of the report
 * @param stepSeconds the width of a column
 * @param least the least value of each column
 * @param greatest the greatest value of each column; the same array as {@code least} when every
 *     column is one window
 * @param windows how many windows a column holds
 */
public record Track(
    double startSeconds, double stepSeconds, double[] least, double[] greatest, int windows) {

  /** Reduces values that are {@code stepSeconds} apart. */
  public static Track of(
      double startSeconds, double stepSeconds, double[] values, int mostColumns) {
    int windows = Math.max(1, Math.ceilDiv(values.length, Math.max(1, mostColumns)));
    if (windows == 1) {
      return new Track(startSeconds, stepSeconds, values, values, 1);
    }
    int columns = Math.ceilDiv(values.length, windows);
    double[] least = new double[columns];
    double[] greatest = new double[columns];
    for (int column = 0; column < columns; column++) {
      double low = Double.NaN;
      double high = Double.NaN;
      int end = Math.min(values.length, (column + 1) * windows);
      for (int i = column * windows; i < end; i++) {
        low = Double.isNaN(low) ? values[i] : Math.min(low, values[i]);
        high = Double.isNaN(high) ? values[i] : Math.max(high, values[i]);
      }
      least[column] = low;
      greatest[column] = high;
    }
    return new Track(startSeconds, stepSeconds * windows, least, greatest, windows);
  }

  public int columns() {
    return greatest.length;
  }

  public double endSeconds() {
    return startSeconds + columns() * stepSeconds;
  }

  /** The greatest value; 0 when there is none. */
  public double maximum() {
    double maximum = 0;
    for (double value : greatest) {
      maximum = value > maximum ? value : maximum;
    }
    return maximum;
  }
}
