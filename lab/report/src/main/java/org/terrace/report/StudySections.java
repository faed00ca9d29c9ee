package org.terrace.report;

import java.util.List;
import org.terrace.analysis.study.DataTable;
import org.terrace.analysis.study.Figure;
import org.terrace.analysis.study.StudyDescription;
import org.terrace.report.page.Markup;
import org.terrace.report.page.Quantity;
import org.terrace.report.page.Tables;
import org.terrace.report.plan.HeatMap;

/** The sections of a study below its claims: figures, tables, and how it was set up. */
final class StudySections {
  /** Rows of a figure's own table that are shown; findings.json has all. */
  private static final int MOST_ROWS = 200;

  private StudySections() {}

  static void figures(List<Figure> figures, Markup page) {
    if (figures.isEmpty()) {
      return;
    }
    page.open("section", "id", "figures").leaf("h2", "Figures");
    plots(figures, page);
    page.close();
  }

  static void plots(List<Figure> figures, Markup page) {
    page.open("div", "class", "plots study");
    for (Figure figure : figures) {
      FigureDrawing drawing = new FigureDrawing(figure);
      page.open("figure").open("figcaption").leaf("h3", figure.title());
      page.leaf("span", figure.caption(), "class", "muted").close();
      drawing.legend(page);
      page.add(drawing.draw());
      page.leaf("p", figure.note() + drawing.reduction(), "class", "note");
      points(figure, page);
      page.close();
    }
    page.close();
  }

  /** The same without tables, for figures that are drawn again and again. */
  static void drawings(List<Figure> figures, Markup page) {
    page.open("div", "class", "plots study");
    for (Figure figure : figures) {
      FigureDrawing drawing = new FigureDrawing(figure);
      page.open("figure").open("figcaption").leaf("h3", figure.title());
      page.leaf("span", figure.caption(), "class", "muted").close();
      drawing.legend(page);
      page.add(drawing.draw()).close();
    }
    page.close();
  }

  private static void points(Figure figure, Markup page) {
    page.open("details").leaf("summary", "Table");
    Tables.open(
        page, "Series", "#" + named(figure.x()), "#" + named(figure.y()), "#Interval", "Label");
    int rows = 0;
    int all = 0;
    for (Figure.Series series : figure.series()) {
      for (Figure.Point point : series.points()) {
        if (all++ < MOST_ROWS) {
          rows++;
          point(figure, series, point, page);
        }
      }
    }
    Tables.close(page);
    if (rows < all) {
      page.leaf(
          "p",
          Quantity.count(rows)
              + " of "
              + Quantity.count(all, "point")
              + "; findings.json has all of them.",
          "class",
          "note");
    }
    page.close();
  }

  private static void point(Figure figure, Figure.Series series, Figure.Point point, Markup page) {
    Double end = point.xEnd();
    page.open("tr").leaf("td", series.name());
    Tables.number(
        page,
        FigureDrawing.value(figure.x(), point.x())
            + (end == null ? "" : " – " + FigureDrawing.value(figure.x(), end)));
    Tables.number(page, FigureDrawing.value(figure.y(), point.y()));
    Tables.number(page, interval(point.low(), point.high()));
    String label = point.label();
    page.leaf("td", label == null ? "" : label).close();
  }

  static void tables(List<DataTable> tables, Markup page) {
    if (tables.isEmpty()) {
      return;
    }
    page.open("section", "id", "tables").leaf("h2", "Tables");
    dataTables(tables, page);
    page.close();
  }

  static void dataTables(List<DataTable> tables, Markup page) {
    for (DataTable table : tables) {
      page.leaf("h3", table.title(), "class", "table-title");
      page.open("div", "class", "table", "tabindex", "0").open("table", "class", "data");
      page.open("thead").open("tr");
      for (int i = 0; i < table.columns().size(); i++) {
        heading(table, i, page);
      }
      page.close().close().open("tbody");
      for (List<DataTable.Cell> row : table.rows()) {
        page.open("tr");
        for (DataTable.Cell cell : row) {
          cell(cell, page);
        }
        page.close();
      }
      Tables.close(page);
      if (!table.note().isEmpty()) {
        page.leaf("p", table.note(), "class", "note");
      }
    }
  }

  /** A table whose cells are shaded; its texts say all that its colours do. */
  static void heatMap(HeatMap map, Markup page) {
    page.leaf("h3", map.title(), "class", "table-title");
    page.leaf("p", map.caption(), "class", "lead");
    page.open("div", "class", "table", "tabindex", "0").open("table", "class", "heat");
    page.open("thead").open("tr").leaf("th", map.corner(), "scope", "col");
    map.columns().forEach(name -> page.leaf("th", name, "scope", "col", "class", "n"));
    page.close().close().open("tbody");
    for (HeatMap.Row row : map.rows()) {
      page.open("tr").leaf("th", row.name(), "scope", "row");
      for (HeatMap.Cell cell : row.cells()) {
        String shade = cell.step() == 0 ? "" : " " + cell.tone().word() + "-" + cell.step();
        page.open("td", "class", "n" + shade + (cell.marked() ? " best" : ""));
        page.text((cell.marked() ? "★ " : "") + cell.text());
        if (!cell.detail().isEmpty()) {
          page.leaf("span", cell.detail(), "class", "below");
        }
        page.close();
      }
      page.close();
    }
    Tables.close(page);
  }

  private static void heading(DataTable table, int column, Markup page) {
    boolean numbers = table.rows().stream().anyMatch(row -> row.get(column).value() != null);
    page.open("th", "scope", "col", "class", numbers ? "n" : "");
    page.text(table.columns().get(column).name());
    String unit = table.columns().get(column).unit();
    if (!unit.isEmpty()) {
      page.leaf("span", " " + FigureDrawing.unit(unit), "class", "unit");
    }
    page.close();
  }

  private static void cell(DataTable.Cell cell, Markup page) {
    Double value = cell.value();
    String text = cell.text();
    if (value == null) {
      page.leaf("td", text == null ? "–" : text, "class", text == null ? "n" : "");
      return;
    }
    page.open("td", "class", "n").text(text == null ? Quantity.number(value) : text);
    if (cell.low() != null || cell.high() != null) {
      page.leaf("span", interval(cell.low(), cell.high()), "class", "range");
    }
    page.close();
  }

  /** {@code 1.2 – 3.4}; an end that nothing bounds is said to be open. */
  private static String interval(
      @org.jspecify.annotations.Nullable Double low,
      @org.jspecify.annotations.Nullable Double high) {
    if (low == null && high == null) {
      return "";
    }
    return (low == null ? "open" : Quantity.number(low))
        + " – "
        + (high == null ? "no bound" : Quantity.number(high));
  }

  private static String named(Figure.Axis axis) {
    return axis.name() + (axis.unit().isEmpty() ? "" : " " + FigureDrawing.unit(axis.unit()));
  }

  static void setup(StudyDescription study, Markup page) {
    page.open("section", "id", "setup").leaf("h2", "How it was set up");
    page.leaf("h3", "Deviations from the published set-up");
    if (study.deviations().isEmpty()) {
      page.leaf("p", "None are known.", "class", "muted");
    } else {
      page.open("ul", "class", "deviations");
      study.deviations().forEach(each -> page.leaf("li", each));
      page.close();
    }
    page.open("div", "class", "columns").open("div").leaf("h3", "Parameters");
    Tables.open(page, "Parameter", "Here", "Published");
    for (StudyDescription.Parameter parameter : study.parameters()) {
      String published = parameter.published();
      page.open("tr").leaf("td", parameter.name()).leaf("td", parameter.value());
      page.leaf("td", published == null ? "not documented" : published).close();
    }
    Tables.close(page);
    page.close().open("div").leaf("h3", "Machine and versions").open("dl", "class", "facts");
    for (StudyDescription.Fact fact : study.machine()) {
      page.leaf("dt", fact.name()).leaf("dd", fact.value());
    }
    page.close().close().close();
    page.leaf(
        "p", "The figures behind this page lie beside it in findings.json.", "class", "muted");
    page.close();
  }
}
