package org.terrace.benchmarks.collections.peers;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPool;
import redis.clients.jedis.JedisPoolConfig;

/** Redis with two replicas, in memory alone; each put waits until both have it. */
public final class RedisMap implements SharedMap {
  private static final int REPLICAS = 2;
  private static final int CONNECTIONS = 64;
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final JedisPool pool;

  /**
   * Reaches the primary.
   *
   * @param fair whether threads that wait for a connection get one in turn; by default they do not
   */
  public RedisMap(String host, int port, boolean fair) {
    JedisPoolConfig config = new JedisPoolConfig();
    config.setMaxTotal(CONNECTIONS);
    config.setMaxIdle(CONNECTIONS);
    config.setFairness(fair);
    int patience = Math.toIntExact(TIMEOUT.multipliedBy(2).toMillis());
    this.pool = new JedisPool(config, host, port, patience);
    // All at once: thousands of virtual threads that want to create the first ones stall the pool.
    pool.addObjects(CONNECTIONS);
    awaitCopies();
  }

  /** Replicas copy the primary's state first, and acknowledge nothing before they have it. */
  private void awaitCopies() {
    try (Jedis redis = pool.getResource()) {
      redis.set("", "");
      awaitReplicas(redis);
      redis.del("");
    }
  }

  private static void awaitReplicas(Jedis redis) {
    long held = redis.waitReplicas(REPLICAS, TIMEOUT.toMillis());
    if (held < REPLICAS) {
      throw new IllegalStateException("only " + held + " replicas have a value");
    }
  }

  @Override
  public void put(String key, String value) {
    try (Jedis redis = pool.getResource()) {
      redis.set(key, value);
      awaitReplicas(redis);
    }
  }

  @Override
  public @Nullable String get(String key) {
    try (Jedis redis = pool.getResource()) {
      return redis.get(key);
    }
  }

  @Override
  public void remove(String key) {
    try (Jedis redis = pool.getResource()) {
      redis.del(key);
      awaitReplicas(redis);
    }
  }

  /** The servers share the primary and need not know each other. */
  @Override
  public int members() {
    return Place.SERVERS;
  }
}
