package org.terrace.groups.builtin;

import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.terrace.core.HostLookup;
import org.terrace.groups.Discovery;

/**
 * The look-up of a group's contacts, whose names are looked up each time: one may have no address
 * yet, or others than before. A name without an address is logged once, and again only after it has
 * had one. Confined to one thread.
 */
final class ContactLookup {
  /** Made at the first message alone. */
  private static final class Log {
    static final System.Logger LOG = System.getLogger(ContactLookup.class.getName());
  }

  private final Discovery discovery;
  private final Set<InetSocketAddress> unknown = new HashSet<>();

  ContactLookup(Discovery discovery) {
    this.discovery = discovery;
  }

  /** The addresses at which members may listen now. */
  List<InetSocketAddress> find() {
    List<InetSocketAddress> contacts = discovery.find();
    unknown.retainAll(contacts);
    Set<InetSocketAddress> found = new LinkedHashSet<>();
    for (InetSocketAddress contact : contacts) {
      try {
        found.addAll(HostLookup.addresses(contact));
        unknown.remove(contact);
      } catch (UnknownHostException e) {
        if (unknown.add(contact)) {
          Log.LOG.log(
              Level.WARNING,
              "The contact {0}: {1}; it is looked up until it has one",
              contact.getHostString() + ":" + contact.getPort(),
              e.getMessage());
        }
      }
    }
    return List.copyOf(found);
  }
}
