/** Conversations to requests: one decoder a protocol, and the servers behind the requests. */
@org.jspecify.annotations.NullMarked
module org.terrace.protocols {
  requires org.terrace.protocols.core;
  requires transitive org.terrace.observation;
  requires transitive org.terrace.wire;

  exports org.terrace.protocols;
}
