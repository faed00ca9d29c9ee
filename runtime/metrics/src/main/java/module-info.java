/** The counts of groups, collections and services, as JMX beans and as meters of Micrometer. */
@org.jspecify.annotations.NullMarked
module org.terrace.metrics {
  requires transitive java.management;
  requires org.terrace.core;
  requires transitive org.terrace.groups;
  requires static transitive micrometer.core;
  requires static transitive org.terrace.collections;
  requires static transitive org.terrace.invocation;

  exports org.terrace.metrics;
}
