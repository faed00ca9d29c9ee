package org.terrace.benchmarks.collections.peers;

import java.util.Map;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.context.Flag;
import org.infinispan.manager.DefaultCacheManager;
import org.jspecify.annotations.Nullable;

/**
 * Infinispan's replicated cache over its own default stack for TCP; puts do not return the value
 * before.
 */
public final class InfinispanMap implements SharedMap {
  private static final int DETECTOR_PORT_OFFSET = 50;

  private final DefaultCacheManager manager;
  private final Cache<String, String> cache;
  private final Cache<String, String> silent;

  /** Joins the cluster. */
  public InfinispanMap(Place place, boolean synchronous) {
    System.setProperty("jgroups.bind.address", place.host());
    System.setProperty("jgroups.bind.port", Integer.toString(place.port()));
    System.setProperty("jgroups.port_range", "0");
    System.setProperty("jgroups.fd.port-offset", Integer.toString(DETECTOR_PORT_OFFSET));
    System.setProperty("jgroups.mcast_addr", Place.MULTICAST);
    System.setProperty("jgroups.mcast_port", Integer.toString(place.multicastPort()));
    GlobalConfigurationBuilder global = GlobalConfigurationBuilder.defaultClusteredBuilder();
    global.transport().clusterName("bench").addProperty("stack", "tcp");
    this.manager = new DefaultCacheManager(global.build());
    CacheMode mode = synchronous ? CacheMode.REPL_SYNC : CacheMode.REPL_ASYNC;
    manager.defineConfiguration(
        "objects", new ConfigurationBuilder().clustering().cacheMode(mode).build());
    this.cache = manager.getCache("objects");
    this.silent = cache.getAdvancedCache().withFlags(Flag.IGNORE_RETURN_VALUES);
  }

  @Override
  public void put(String key, String value) {
    silent.put(key, value);
  }

  @Override
  public void putAll(Map<String, String> entries) {
    silent.putAll(entries);
  }

  @Override
  public @Nullable String get(String key) {
    return cache.get(key);
  }

  @Override
  public void remove(String key) {
    silent.remove(key);
  }

  @Override
  public int members() {
    return manager.getMembers().size();
  }
}
