package org.terrace.collections.jcache;

import java.lang.management.ManagementFactory;
import javax.cache.CacheException;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.management.CacheMXBean;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** The beans of one cache at the platform's MBean server. Thread-safe. */
final class Beans {
  /** The configuration as a bean shows it. */
  private record Shown(MutableConfiguration<?, ?> configuration) implements CacheMXBean {
    @Override
    public String getKeyType() {
      return configuration.getKeyType().getName();
    }

    @Override
    public String getValueType() {
      return configuration.getValueType().getName();
    }

    @Override
    public boolean isReadThrough() {
      return configuration.isReadThrough();
    }

    @Override
    public boolean isWriteThrough() {
      return configuration.isWriteThrough();
    }

    @Override
    public boolean isStoreByValue() {
      return configuration.isStoreByValue();
    }

    @Override
    public boolean isStatisticsEnabled() {
      return configuration.isStatisticsEnabled();
    }

    @Override
    public boolean isManagementEnabled() {
      return configuration.isManagementEnabled();
    }
  }

  private final MutableConfiguration<?, ?> configuration;
  private final Statistics statistics;
  private final String suffix;

  Beans(
      ReplicatedCacheManager manager,
      String cache,
      MutableConfiguration<?, ?> configuration,
      Statistics statistics) {
    this.configuration = configuration;
    this.statistics = statistics;
    this.suffix = ",CacheManager=" + safe(manager.getURI().toString()) + ",Cache=" + safe(cache);
  }

  private static String safe(String text) {
    return text.replaceAll("[,:=\n]", ".");
  }

  /** Shows what is configured, at the beginning. */
  void begin() {
    showManagement(configuration.isManagementEnabled());
    showStatistics(configuration.isStatisticsEnabled());
  }

  synchronized void showManagement(boolean shown) {
    show("CacheConfiguration", new Shown(configuration), shown);
    configuration.setManagementEnabled(shown);
  }

  synchronized void showStatistics(boolean shown) {
    show("CacheStatistics", statistics, shown);
    statistics.enable(shown);
    configuration.setStatisticsEnabled(shown);
  }

  private void show(String type, Object bean, boolean shown) {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      ObjectName name = new ObjectName("javax.cache:type=" + type + suffix);
      if (shown) {
        server.registerMBean(bean, name);
      } else {
        server.unregisterMBean(name);
      }
    } catch (InstanceAlreadyExistsException | InstanceNotFoundException e) {
      return; // it is as it should be
    } catch (JMException e) {
      throw new CacheException("the bean of the cache cannot be shown: " + e.getMessage(), e);
    }
  }

  synchronized void close() {
    show("CacheConfiguration", this, false);
    show("CacheStatistics", this, false);
    statistics.enable(false);
  }
}
