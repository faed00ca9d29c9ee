/** Requests, samples and events: the one data model of everything observed, and its files. */
@org.jspecify.annotations.NullMarked
module org.terrace.observation {
  requires transitive org.terrace.core;
  requires com.github.luben.zstd_jni;
  requires de.siegmar.fastcsv;

  exports org.terrace.observation;
}
