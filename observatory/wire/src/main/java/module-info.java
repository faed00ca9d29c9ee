/** Packets to conversations: packet files, packets and the reassembly of TCP connections. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // those that some packages are for are compiled after it
module org.terrace.wire {
  requires transitive org.terrace.core;
  requires com.github.luben.zstd_jni;
  requires org.tukaani.xz;

  exports org.terrace.wire;
  exports org.terrace.wire.bytes to
      org.terrace.protocols,
      org.terrace.protocols.core;
  exports org.terrace.wire.file;
  exports org.terrace.wire.packet;
  exports org.terrace.wire.statistics;
  exports org.terrace.wire.tcp;
}
