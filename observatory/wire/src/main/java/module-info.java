/** Packets to requests: packet files, reassembly and protocol decoders. */
@SuppressWarnings("module") // The modules named below are compiled after this one.
@org.jspecify.annotations.NullMarked
module org.terrace.wire {
  requires transitive org.terrace.observation;
  requires com.github.luben.zstd_jni;
  requires org.tukaani.xz;

  exports org.terrace.wire;
  exports org.terrace.wire.statistics;
  exports org.terrace.wire.file to
      org.terrace.capture;
}
