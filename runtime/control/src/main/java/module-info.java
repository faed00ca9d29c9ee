/**
 * Services and their replicas: references to them, and what is done when a replica is gone.
 *
 * <p>Besides the references of services, the parts that a program may start by itself are exported:
 * the naming service, the replication manager, the launcher of replicas, the fault detector.
 */
@org.jspecify.annotations.NullMarked
module org.terrace.control {
  requires static com.google.errorprone.annotations;
  requires jdk.net;
  requires transitive org.terrace.middleware;

  exports org.terrace.control;
  exports org.terrace.control.detector;
  exports org.terrace.control.launcher;
  exports org.terrace.control.manager;
  exports org.terrace.control.naming;
}
