package org.terrace.groups.jgroups;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * A JGroups protocol stack, as its XML.
 *
 * <p>Two stacks come along: {@link #unicast} and {@link #multicast}, which listen only where they
 * are told. Any other is the user's own file ({@link #file}): with {@code ASYM_ENCRYPT} or TLS,
 * discovery by DNS, Kubernetes or a cloud's storage, tunnels. Such a stack needs {@code
 * pbcast.GMS}, a reliable unicast and multicast protocol, and fragmentation ({@code FRAG2} or
 * {@code FRAG4}); where it listens is what it says. Immutable.
 *
 * @param source where it comes from, for messages
 * @param xml the configuration
 */
public record JGroupsStack(String source, String xml) {

  private static String protocolsAt(InetAddress bind) {
    return """
      <MERGE3 min_interval="500" max_interval="2000"/>
      <FD_SOCK2 bind_addr="%s" port_range="3" min_port="0"/>
      <FD_ALL3 timeout="2000" interval="400"/>
      <VERIFY_SUSPECT2 timeout="500"/>
      <pbcast.NAKACK2 use_mcast_xmit="false" xmit_interval="100"/>
      <UNICAST3 xmit_interval="100"/>
      <pbcast.STABLE desired_avg_gossip="5000" max_bytes="4M"/>
      <pbcast.GMS print_local_addr="false" join_timeout="300" leave_timeout="500"/>
      <UFC max_credits="4M" min_threshold="0.4"/>
      <MFC max_credits="4M" min_threshold="0.4"/>
      <FRAG4 frag_size="60K"/>
    </config>
    """
        .formatted(bind.getHostAddress());
  }

  /**
   * Members that reach each other by TCP connections, and find each other at known addresses; for
   * networks without multicast.
   *
   * @param bind where this member listens; port 1 to 65,535, which the others must know
   * @param contacts where others may listen, dead ones and one's own allowed
   */
  public static JGroupsStack unicast(InetSocketAddress bind, List<InetSocketAddress> contacts) {
    if (bind.getPort() == 0) {
      throw new IllegalArgumentException(
          "a member whom others find at a known address needs a port of its own: " + bind);
    }
    String hosts =
        contacts.stream()
            .map(contact -> contact.getHostString() + "[" + contact.getPort() + "]")
            .collect(Collectors.joining(","));
    String transport =
        """
        <config xmlns="urn:org:jgroups">
          <TCP bind_addr="%s" bind_port="%d" port_range="0" diag.enabled="false"/>
          <TCPPING initial_hosts="%s" port_range="0" return_entire_cache="true"/>
        """
            .formatted(bind.getAddress().getHostAddress(), bind.getPort(), hosts);
    return new JGroupsStack("unicast at " + bind, transport + protocolsAt(bind.getAddress()));
  }

  /**
   * Members that reach and find each other by IP multicast.
   *
   * @param bind where this member listens
   * @param multicast the group's multicast address and port
   */
  public static JGroupsStack multicast(InetAddress bind, InetSocketAddress multicast) {
    String transport =
        """
        <config xmlns="urn:org:jgroups">
          <UDP bind_addr="%s" bind_port="0" mcast_addr="%s" mcast_port="%d" ip_ttl="1" diag.enabled="false"/>
          <PING/>
        """
            .formatted(
                bind.getHostAddress(),
                multicast.getAddress().getHostAddress(),
                multicast.getPort());
    return new JGroupsStack(
        "multicast " + multicast + " at " + bind, transport + protocolsAt(bind));
  }

  /**
   * The stack of a JGroups configuration file.
   *
   * @throws TerraceException if it cannot be read
   */
  public static JGroupsStack file(Path file) {
    try {
      return new JGroupsStack(file.toString(), Files.readString(file));
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "cannot read the JGroups stack " + file + ": " + e + "; name a readable XML file",
          e);
    }
  }
}
