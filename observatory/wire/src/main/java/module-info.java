/** Packets to conversations: packet files, packets and the reassembly of TCP connections. */
@org.jspecify.annotations.NullMarked
module org.terrace.wire {
  requires transitive org.terrace.core;
  requires com.github.luben.zstd_jni;
  requires org.tukaani.xz;

  exports org.terrace.wire;
  exports org.terrace.wire.bytes;
  exports org.terrace.wire.file;
  exports org.terrace.wire.packet;
  exports org.terrace.wire.statistics;
  exports org.terrace.wire.tcp;
}
