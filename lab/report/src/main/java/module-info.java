/** Findings to JSON, SVG and one offline HTML file; it decides nothing. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // the dashboard, for which one package is, is compiled after it
module org.terrace.report {
  requires transitive org.terrace.analysis;
  requires org.terrace.details;
  requires transitive org.terrace.scaling;
  requires com.fasterxml.jackson.annotation;
  requires java.xml;
  requires tools.jackson.databind;

  exports org.terrace.report;
  exports org.terrace.report.page to
      org.terrace.dashboard;
  exports org.terrace.report.plan;
}
