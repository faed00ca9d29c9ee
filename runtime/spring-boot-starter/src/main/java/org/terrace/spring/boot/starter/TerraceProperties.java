package org.terrace.spring.boot.starter;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.session.SaveMode;
import org.terrace.groups.GroupOptions;

/**
 * The properties {@code terrace.*}; a name that is none of them is refused, so that a slip of the
 * pen does not go unnoticed. Immutable.
 *
 * @param group the group's name, the same at all servers of the application
 * @param member this server's name, unlike those of the others and the same at each start; the
 *     host's name if there is none
 * @param address where it listens
 * @param port for datagrams and connections; 0 for any
 * @param contacts where other servers may be found, as {@code host:port} or {@code host}; a name
 *     may have several addresses, and its own among them does no harm
 * @param expectedMembers how many servers the application is meant to have, this one included, 1 or
 *     more; nothing if that is not known
 * @param secret encrypts all that servers send to each other, if it is there
 * @param writeLevel how many servers hold what is saved, as {@link WriteLevelText} has it
 * @param writeTimeout how long that may take
 * @param catchUpTimeout how long a start may wait to have what the other servers have
 * @param leaveTimeout how long a stop may take to hand over to the other servers, for names that
 *     are not used again; 0 for names that come back, whose servers do not leave
 * @param checkpoint the file from which a server is restored when all have ended, if there is to be
 *     one
 * @param checkpointPeriod how often that is written
 * @param sessions those of Spring Session
 * @param cache the settings of caches that have none of their own
 * @param caches by name, the settings of caches in the place of those
 */
@ConfigurationProperties(prefix = "terrace", ignoreUnknownFields = false)
public record TerraceProperties(
    @DefaultValue("terrace") String group,
    @Nullable String member,
    @DefaultValue("127.0.0.1") InetAddress address,
    @DefaultValue("7600") int port,
    @DefaultValue List<String> contacts,
    @Nullable Integer expectedMembers,
    @Nullable String secret,
    @DefaultValue("all") String writeLevel,
    @DefaultValue("5s") Duration writeTimeout,
    @DefaultValue("10s") Duration catchUpTimeout,
    @DefaultValue("0s") Duration leaveTimeout,
    @Nullable Path checkpoint,
    @DefaultValue("30s") Duration checkpointPeriod,
    @DefaultValue Sessions sessions,
    @DefaultValue Cache cache,
    @DefaultValue Map<String, CacheOverride> caches) {

  /**
   * The properties of sessions. How long one may lie unused is Spring Boot's {@code
   * spring.session.timeout}.
   *
   * @param enabled whether sessions are replicated at all
   * @param name the name of their map
   * @param admitted classes that attributes may hold beside those of Spring Security
   * @param saveMode which attributes are looked at when a session is saved
   * @param sweepPeriod how often sessions that lie unused are looked for
   */
  public record Sessions(
      @DefaultValue("true") boolean enabled,
      @DefaultValue("spring-sessions") String name,
      @DefaultValue List<String> admitted,
      @DefaultValue("on-set-attribute") SaveMode saveMode,
      @DefaultValue("1m") Duration sweepPeriod) {}

  /**
   * The properties of caches.
   *
   * @param enabled whether there is to be a manager of replicated caches
   * @param timeToLive how long a value stays; zero for ever
   * @param entriesMax how many values a cache holds before the oldest go; zero for any number
   * @param keepsNull whether null is kept as a result
   * @param admitted classes that keys and values may hold
   * @param evictionLevel how many servers have removed what is evicted, as {@link WriteLevelText}
   *     has it
   */
  public record Cache(
      @DefaultValue("true") boolean enabled,
      @DefaultValue("0") Duration timeToLive,
      @DefaultValue("0") long entriesMax,
      @DefaultValue("true") boolean keepsNull,
      @DefaultValue List<String> admitted,
      @DefaultValue("all") String evictionLevel) {
    /** Checks the level. */
    public Cache {
      WriteLevelText.parse("terrace.cache.eviction-level", evictionLevel);
    }
  }

  /**
   * The properties of one cache; what is left out is as for all.
   *
   * @param timeToLive how long a value stays
   * @param entriesMax how many values it holds before the oldest go
   * @param keepsNull whether null is kept as a result
   */
  public record CacheOverride(
      @Nullable Duration timeToLive, @Nullable Long entriesMax, @Nullable Boolean keepsNull) {}

  /** Checks what binding does not. */
  public TerraceProperties {
    WriteLevelText.parse("terrace.write-level", writeLevel);
    contacts.forEach(contact -> parse(contact, port));
    if (address.isAnyLocalAddress()) {
      throw new IllegalArgumentException(
          "terrace.address is one that the other servers reach, not " + address.getHostAddress());
    }
    if (expectedMembers != null && expectedMembers < 1) {
      throw new IllegalArgumentException(
          "terrace.expected-members is 1 or more, got " + expectedMembers);
    }
    if (secret != null
        && secret.getBytes(StandardCharsets.UTF_8).length < GroupOptions.SECRET_BYTES_MIN) {
      throw new IllegalArgumentException(
          "terrace.secret has at least " + GroupOptions.SECRET_BYTES_MIN + " bytes");
    }
  }

  /** This server's name in the group. */
  String memberOrHost() {
    if (member != null && !member.isBlank()) {
      return member;
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(
          "this host has no name: set terrace.member to one that stays the same at each start", e);
    }
  }

  /** The contacts; names are not looked up, for they may get other addresses. */
  List<InetSocketAddress> contactAddresses() {
    return contacts.stream().map(contact -> parse(contact, port)).toList();
  }

  Optional<byte[]> secretBytes() {
    return Optional.ofNullable(secret).map(text -> text.getBytes(StandardCharsets.UTF_8));
  }

  private static InetSocketAddress parse(String contact, int defaultPort) {
    return ContactText.parse("terrace.contacts", contact, defaultPort);
  }

  /** The properties in words, without the secret. */
  @Override
  public String toString() {
    return "terrace." + group + " at " + address + ":" + port + ", contacts " + contacts;
  }
}
