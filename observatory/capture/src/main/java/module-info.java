/** Live capture: packets of one network interface into a pcapng file, and the rights that takes. */
@org.jspecify.annotations.NullMarked
module org.terrace.capture {
  requires transitive org.terrace.core;
  requires org.terrace.wire;

  exports org.terrace.capture;
}
