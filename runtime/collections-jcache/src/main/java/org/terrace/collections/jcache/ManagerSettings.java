package org.terrace.collections.jcache;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.replication.CollectionsOptions;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.groups.Discovery;
import org.terrace.groups.Group;
import org.terrace.groups.GroupKeys;
import org.terrace.groups.GroupOptions;
import org.terrace.groups.Secret;
import org.terrace.groups.builtin.Groups;

/**
 * The settings of a manager: where its replica is, and what is common to its caches. Immutable.
 *
 * @param collections the application's own, if it has any
 * @param group of the replica that is opened otherwise
 * @param gossipPeriod of that replica
 * @param admitted the classes that keys and values may be of beside those of the JDK
 * @param level how many replicas hold an update before its call returns
 */
record ManagerSettings(
    @Nullable ReplicatedCollections collections,
    @Nullable GroupOptions group,
    Duration gossipPeriod,
    List<String> admitted,
    WriteLevel level) {
  private static final String FILE = "terrace-jcache.properties";
  private static final int PORT_MAX = 65_535;
  private static final int DEFAULT_PORT = 7600;

  /** An open replica, and what closes it if it is the manager's own. */
  record Opened(ReplicatedCollections collections, Runnable close) {}

  /**
   * The settings in properties, and in the file of the class loader for what they lack.
   *
   * @throws CacheException if one of them is none
   */
  static ManagerSettings of(Properties given, ClassLoader loader) {
    Properties all = fileOf(loader);
    for (String name : given.stringPropertyNames()) {
      all.setProperty(name, given.getProperty(name));
    }
    List<String> admitted = list(all, TerraceCachingProvider.ADMITTED);
    Object own = given.get(TerraceCachingProvider.COLLECTIONS);
    long gossipMillis = number(all, "terrace.gossip-period-millis", 100, 1, 60_000);
    Duration gossipPeriod = Duration.ofMillis(gossipMillis);
    if (own instanceof ReplicatedCollections collections) {
      return new ManagerSettings(collections, null, gossipPeriod, admitted, level(all));
    }
    if (own != null) {
      throw wrong(TerraceCachingProvider.COLLECTIONS, own, "an open ReplicatedCollections");
    }
    return new ManagerSettings(null, group(all), gossipPeriod, admitted, level(all));
  }

  private static Properties fileOf(ClassLoader loader) {
    Properties file = new Properties();
    try (InputStream in = loader.getResourceAsStream(FILE)) {
      if (in != null) {
        file.load(in);
      }
    } catch (IOException | IllegalArgumentException e) {
      throw new CacheException(FILE + " cannot be read: " + e.getMessage(), e);
    }
    return file;
  }

  private static GroupOptions group(Properties all) {
    int port = (int) number(all, "terrace.port", 0, 0, PORT_MAX);
    List<InetSocketAddress> contacts = new ArrayList<>();
    for (String contact : list(all, "terrace.contacts")) {
      contacts.add(contact(contact, port == 0 ? DEFAULT_PORT : port));
    }
    GroupOptions options =
        GroupOptions.of(
                all.getProperty("terrace.group", "jcache"),
                all.getProperty("terrace.member", "app1"),
                Discovery.of(contacts))
            .withAddress(address(all.getProperty("terrace.address", "127.0.0.1")), port);
    String secret = all.getProperty("terrace.secret");
    return secret == null
        ? options
        : options.withKeys(
            GroupKeys.encrypting(new Secret(secret.getBytes(StandardCharsets.UTF_8))));
  }

  private static InetSocketAddress contact(String text, int defaultPort) {
    try {
      URI uri = new URI("contact://" + text);
      if (uri.getHost() != null && uri.getRawPath().isEmpty()) {
        int port = uri.getPort() < 0 ? defaultPort : uri.getPort();
        return InetSocketAddress.createUnresolved(uri.getHost(), port);
      }
    } catch (URISyntaxException e) {
      // said below
    }
    throw wrong("terrace.contacts", text, "host:port or host, for example app2:7600,[::1]:7600");
  }

  private static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw wrong("terrace.address", text, "an address of this host, for example 10.0.0.11");
    }
  }

  private static WriteLevel level(Properties all) {
    String text = all.getProperty("terrace.level", "ALL");
    return switch (text) {
      case "ALL" -> WriteLevel.ALL;
      case "LOCAL" -> WriteLevel.LOCAL;
      default -> {
        if (text.matches("replicas\\([1-9]\\d?\\)")) {
          yield WriteLevel.replicas(Integer.parseInt(text.replaceAll("\\D", "")));
        }
        throw wrong("terrace.level", text, "LOCAL, ALL or replicas(2)");
      }
    };
  }

  private static long number(Properties all, String name, long absent, long least, long most) {
    String text = all.getProperty(name);
    if (text == null) {
      return absent;
    }
    try {
      long number = Long.parseLong(text.strip());
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw wrong(name, text, "a number from " + least + " to " + most);
  }

  private static List<String> list(Properties all, String name) {
    return Stream.of(all.getProperty(name, "").split(","))
        .map(String::strip)
        .filter(each -> !each.isEmpty())
        .toList();
  }

  private static CacheException wrong(String name, Object value, String expected) {
    return new CacheException(name + " is '" + value + "': expected " + expected);
  }

  /** Opens the replica, or gives the application's own. */
  Opened open() {
    if (collections != null) {
      return new Opened(collections, () -> {});
    }
    if (group == null) {
      throw new IllegalStateException("settings without collections have a group");
    }
    Group opened = Groups.open(group);
    ReplicatedCollections replica =
        ReplicatedCollections.open(
            opened, CollectionsOptions.defaults().withGossipPeriod(gossipPeriod));
    return new Opened(
        replica,
        () -> {
          replica.close();
          opened.close();
        });
  }
}
