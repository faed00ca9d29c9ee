package org.terrace.report;

/** Tables that scroll sideways within themselves where the window is narrow. */
final class Tables {
  private Tables() {}

  /** Opens a table up to its rows; a heading that starts with '#' is a column of numbers. */
  static void open(Markup page, String... headings) {
    page.open("div", "class", "table", "tabindex", "0").open("table").open("thead").open("tr");
    for (String heading : headings) {
      if (heading.startsWith("#")) {
        page.leaf("th", heading.substring(1), "scope", "col", "class", "n");
      } else {
        page.leaf("th", heading, "scope", "col");
      }
    }
    page.close().close().open("tbody");
  }

  static void close(Markup page) {
    page.close().close().close();
  }

  /** A cell with a number. */
  static void number(Markup page, String value) {
    page.leaf("td", value, "class", "n");
  }
}
