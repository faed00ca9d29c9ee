/** Packets to requests: capture, packet files, reassembly and protocol decoders. */
@org.jspecify.annotations.NullMarked
module org.terrace.wire {
  requires transitive org.terrace.observation;

  exports org.terrace.wire.capture;
}
