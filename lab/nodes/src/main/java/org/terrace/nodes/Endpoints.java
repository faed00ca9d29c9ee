package org.terrace.nodes;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.nodes.SocketOwner.Owner;

/**
 * The check, before anything starts, that every address a trial listens at is free; it says who has
 * it and how to end that when it is not. Stateless and thread-safe.
 */
public final class Endpoints {
  private Endpoints() {}

  /**
   * An address that a server is going to listen at.
   *
   * @param server the server's name
   */
  public record Endpoint(String server, String address, int port) {}

  /**
   * Checks that all are free.
   *
   * @throws TerraceException if one is not, with a line for each that is not
   */
  public static void requireFree(List<Endpoint> endpoints) {
    List<String> complaints = new ArrayList<>();
    for (Endpoint endpoint : endpoints) {
      complaint(endpoint).ifPresent(complaints::add);
    }
    if (!complaints.isEmpty()) {
      throw new TerraceException(ErrorCode.MACHINE_LACKS, String.join("\n", complaints));
    }
  }

  private static Optional<String> complaint(Endpoint endpoint) {
    String where = endpoint.address() + ":" + endpoint.port() + " of " + endpoint.server();
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true); // connections of an earlier run that wait to expire are no harm
      socket.bind(new InetSocketAddress(endpoint.address(), endpoint.port()));
      return Optional.empty();
    } catch (BindException e) {
      String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
      if (message.contains("in use")) {
        return Optional.of(where + " is in use" + owner(endpoint));
      }
      if (message.contains("permission")) {
        return Optional.of(
            where
                + " may not be listened at by this user: run as root, or let"
                + " net.ipv4.ip_unprivileged_port_start allow it");
      }
      return Optional.of(
          where
              + " cannot be listened at ("
              + e.getMessage()
              + "); the loopback network 127.0.0.0/8 has to be up: ip link set lo up");
    } catch (IOException e) {
      return Optional.of(where + " cannot be listened at: " + e.getMessage());
    }
  }

  private static String owner(Endpoint endpoint) {
    Optional<Owner> owner = SocketOwner.of(endpoint.address(), endpoint.port());
    if (owner.isEmpty()) {
      return " by a process that this user cannot see; see it with: sudo ss -ltnp 'sport = :"
          + endpoint.port()
          + "', or choose another network, for example 'network: 127.7'";
    }
    return " by process "
        + owner.get().pid()
        + " ("
        + owner.get().command()
        + ")"
        + whose(owner.get())
        + ", or choose another network, for example 'network: 127.7'";
  }

  /** The run or the trial that a process is of, and how its address is had. */
  private static String whose(Owner owner) {
    String trial = owner.trial().map(mark -> " of the trial " + mark).orElse("");
    if (owner.run().isPresent()) {
      SocketOwner.Run run = owner.run().get();
      return "%s, which belongs to process %d (%s), a command of Terrace that still runs; wait for its end, or end it and all its servers with: kill -INT %d"
          .formatted(trial, run.pid(), run.command(), run.pid());
    }
    return trial.isEmpty()
        ? ", which is none of Terrace's; end it, if it is yours, with: kill " + owner.pid()
        : "%s, left over: the command that started it has ended; end it with: kill -KILL %d"
            .formatted(trial, owner.pid());
  }
}
