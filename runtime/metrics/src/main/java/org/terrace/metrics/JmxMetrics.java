package org.terrace.metrics;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/**
 * A registration of metrics with a server of JMX beans: one bean a set, named {@code
 * org.terrace:type=PART,name="MEMBER"}, whose attributes are the metrics. Thread-safe.
 */
public final class JmxMetrics implements AutoCloseable {
  private final MBeanServer server;
  private final ObjectName name;

  private JmxMetrics(MBeanServer server, ObjectName name) {
    this.server = server;
    this.name = name;
  }

  /** Registers the metrics with the server of this Java process. */
  public static JmxMetrics register(MetricSet metrics) {
    return register(metrics, ManagementFactory.getPlatformMBeanServer());
  }

  /**
   * Registers the metrics with a server.
   *
   * @throws IllegalStateException if it has a bean of that name: the part is registered already
   */
  public static JmxMetrics register(MetricSet metrics, MBeanServer server) {
    ObjectName name = nameOf(metrics);
    try {
      server.registerMBean(new MetricsBean(metrics), name);
    } catch (JMException e) {
      throw new IllegalStateException(
          "the metrics cannot be registered as " + name + "; close what registered them before", e);
    }
    return new JmxMetrics(server, name);
  }

  private static ObjectName nameOf(MetricSet metrics) {
    try {
      return new ObjectName(
          "org.terrace:type=%s,name=%s"
              .formatted(metrics.part(), ObjectName.quote(metrics.member())));
    } catch (MalformedObjectNameException e) {
      throw new IllegalArgumentException("no name of a bean: " + metrics.part(), e);
    }
  }

  /** The name under which the server knows the bean. */
  public ObjectName name() {
    return name;
  }

  /** Takes the bean away; does nothing the second time. */
  @Override
  public void close() {
    try {
      if (server.isRegistered(name)) {
        server.unregisterMBean(name);
      }
    } catch (JMException e) {
      throw new IllegalStateException("the bean " + name + " cannot be taken away", e);
    }
  }
}
