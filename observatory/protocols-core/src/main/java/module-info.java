/**
 * The parts that decoders of all protocols use (recognition, bounded memory, classes of requests,
 * servers), and HTTP/1.1, PostgreSQL and MySQL.
 */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // the module that it is for is compiled after it
module org.terrace.protocols.core {
  requires transitive org.terrace.observation;
  requires transitive org.terrace.wire;

  exports org.terrace.protocols.decoder to
      org.terrace.protocols;
  exports org.terrace.protocols.server to
      org.terrace.protocols;
  exports org.terrace.protocols.text to
      org.terrace.protocols;
  exports org.terrace.protocols.values to
      org.terrace.protocols;
}
