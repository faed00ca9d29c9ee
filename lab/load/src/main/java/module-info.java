/** Emulated users and open-loop arrivals, and the checks of the generator. */
@org.jspecify.annotations.NullMarked
module org.terrace.load {
  requires java.management;
  requires jdk.management;
  requires transitive org.terrace.core;
  requires transitive org.terrace.observation;
  requires org.snakeyaml.engine;
  requires transitive tools.jackson.databind;
  requires static com.google.errorprone.annotations;

  exports org.terrace.load;
  exports org.terrace.load.mix;
}
