/** Packets to requests: capture, packet files, reassembly and protocol decoders. */
@org.jspecify.annotations.NullMarked
module org.terrace.wire {
  requires transitive org.terrace.observation;
  requires com.github.luben.zstd_jni;
  requires org.tukaani.xz;

  exports org.terrace.wire;
  exports org.terrace.wire.capture;
  exports org.terrace.wire.statistics;
}
