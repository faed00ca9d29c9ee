package org.terrace.report.plan;

import java.util.List;
import org.terrace.analysis.study.DataTable;
import org.terrace.analysis.study.Figure;

/**
 * The page of a plan, as data that the report draws. Immutable.
 *
 * @param title the name of the mesh
 * @param headline what was found; the first sentence is shown large
 * @param basis what it rests on
 * @param figures the key figures
 * @param sections the sections, in their order
 */
public record PlanPage(
    String title, String headline, String basis, List<KeyFigure> figures, List<Section> sections) {
  /** Copies the lists. */
  public PlanPage {
    figures = List.copyOf(figures);
    sections = List.copyOf(sections);
  }

  /**
   * A key figure.
   *
   * @param name what it is
   * @param value the figure
   * @param detail a word on it
   */
  public record KeyFigure(String name, String value, String detail) {}

  /**
   * A section.
   *
   * @param id its place in the page, for links
   * @param link its short name
   * @param title its title
   * @param lead how to read it
   * @param maps its shaded tables
   * @param figures its drawings
   * @param tables its tables
   */
  public record Section(
      String id,
      String link,
      String title,
      String lead,
      List<HeatMap> maps,
      List<Figure> figures,
      List<DataTable> tables) {
    /** Copies the lists. */
    public Section {
      maps = List.copyOf(maps);
      figures = List.copyOf(figures);
      tables = List.copyOf(tables);
    }
  }
}
