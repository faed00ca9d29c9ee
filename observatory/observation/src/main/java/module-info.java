/** Requests, samples and events: the one data model of everything observed, and its files. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // those that some packages are for are compiled after it
module org.terrace.observation {
  requires transitive org.terrace.core;
  requires com.github.luben.zstd_jni;
  requires de.siegmar.fastcsv;

  exports org.terrace.observation;
  exports org.terrace.observation.table to
      org.terrace.cli,
      org.terrace.fleet;
}
