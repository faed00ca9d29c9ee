package org.terrace.protocols.redis;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/** The names of commands that tell a client in mid-stream. */
final class RedisNames {
  private static final Set<String> COMMON =
      Set.of(
          ("APPEND AUTH BITCOUNT BLMOVE BLPOP BRPOP BZPOPMIN BZPOPMAX CLIENT CLUSTER COMMAND CONFIG"
                  + " COPY DBSIZE DECR DECRBY DEL DISCARD DUMP ECHO EVAL EVALSHA EXEC EXISTS EXPIRE"
                  + " EXPIREAT FCALL FLUSHALL FLUSHDB GEOADD GEOSEARCH GET GETBIT GETDEL GETEX"
                  + " GETRANGE GETSET HDEL HELLO HEXISTS HGET HGETALL HINCRBY HKEYS HLEN HMGET HMSET"
                  + " HSCAN HSET HSETNX HVALS INCR INCRBY INCRBYFLOAT INFO KEYS LINDEX LINSERT LLEN"
                  + " LMOVE LPOP LPUSH LRANGE LREM LSET LTRIM MGET MSET MULTI OBJECT PERSIST PEXPIRE"
                  + " PFADD PFCOUNT PING PSETEX PSUBSCRIBE PTTL PUBLISH RENAME RPOP RPOPLPUSH RPUSH"
                  + " SADD SCAN SCARD SCRIPT SDIFF SELECT SET SETBIT SETEX SETNX SETRANGE SINTER"
                  + " SISMEMBER SMEMBERS SMISMEMBER SMOVE SORT SPOP SRANDMEMBER SREM SSCAN STRLEN"
                  + " SUBSCRIBE SUNION TIME TOUCH TTL TYPE UNLINK UNSUBSCRIBE UNWATCH WAIT WATCH XACK"
                  + " XADD XAUTOCLAIM XCLAIM XDEL XGROUP XINFO XLEN XPENDING XRANGE XREAD XREADGROUP"
                  + " XREVRANGE XTRIM ZADD ZCARD ZCOUNT ZINCRBY ZPOPMAX ZPOPMIN ZRANGE"
                  + " ZRANGEBYSCORE ZRANK ZREM ZREMRANGEBYRANK ZREMRANGEBYSCORE ZREVRANGE"
                  + " ZREVRANGEBYSCORE ZREVRANK ZSCAN ZSCORE")
              .split(" "));

  private RedisNames() {}

  /** Whether a range is one of them, in capital or small letters. */
  static boolean isCommon(byte[] bytes, int from, int to) {
    String name = new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    return COMMON.contains(name.toUpperCase(Locale.ROOT));
  }
}
