/**
 * Services and their replicas: references to them, and what is done when a replica is gone.
 *
 * <p>Besides the references of services, the parts that a program may start by itself are exported:
 * the naming service and the replication manager.
 */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // those that some packages are for are compiled after it
module org.terrace.control {
  requires static com.google.errorprone.annotations;
  requires jdk.net;
  requires transitive org.terrace.middleware;

  exports org.terrace.control;
  exports org.terrace.control.client to
      org.terrace.cli,
      org.terrace.studies;
  exports org.terrace.control.launcher to
      org.terrace.invocation;
  exports org.terrace.control.manager;
  exports org.terrace.control.naming;
}
