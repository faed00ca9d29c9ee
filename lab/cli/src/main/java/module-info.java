/** The terrace command. */
@org.jspecify.annotations.NullMarked
module org.terrace.cli {
  requires org.terrace.capture;
  requires org.terrace.control;
  requires org.terrace.dashboard;
  requires org.terrace.details;
  requires org.terrace.evidence;
  requires org.terrace.experiment;
  requires org.terrace.fleet;
  requires org.terrace.hosts;
  requires org.terrace.mesh;
  requires org.terrace.protocols;
  requires org.terrace.report;
  requires org.terrace.specification;
  requires org.terrace.studies;
  requires org.terrace.tracing;
  requires de.siegmar.fastcsv;
  requires info.picocli;
  requires org.snakeyaml.engine;
  requires tools.jackson.databind;
  requires static com.google.errorprone.annotations;

  opens org.terrace.cli to
      info.picocli,
      tools.jackson.databind;
  opens org.terrace.cli.input to
      info.picocli;
}
