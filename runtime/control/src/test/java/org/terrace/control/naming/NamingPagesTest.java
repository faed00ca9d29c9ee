package org.terrace.control.naming;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.terrace.control.ServiceReference;
import org.terrace.control.Style;
import org.terrace.control.link.Link;
import org.terrace.middleware.Endpoint;

/** The pages in which a naming process lists all that was chosen. */
class NamingPagesTest {
  private static final int NAMES = 9_000;

  private static Registration value(String service, long version) {
    Endpoint endpoint =
        new Endpoint(
            service + "-1-1", "terrace", "host-of-" + service + ".example.org", 7_000, "key");
    return new Registration(
        new ServiceReference(service, Style.WARM_PASSIVE, 1, version, List.of(endpoint)), 1, 2);
  }

  @Test
  void everythingChosenIsListedPageAfterPage() {
    SortedMap<String, Acceptor.Slot> slots = new TreeMap<>();
    for (int i = 0; i < NAMES; i++) {
      Registration value = value("service-" + i, 1);
      slots.put(value.service(), new Acceptor.Slot(Ballot.NONE, Ballot.NONE, null, value));
    }
    Acceptor acceptor = new Acceptor(slots, 0);
    Set<String> listed = new HashSet<>();
    String from = "";
    do {
      NamingMessage.Listed page =
          (NamingMessage.Listed) acceptor.step(new NamingMessage.ListAll(1, from));
      assertThat(NamingCodec.encode(page)).hasSizeLessThan(Link.FRAME_BYTES_MAX);
      page.values().forEach(value -> assertThat(listed.add(value.service())).isTrue());
      from = page.next();
    } while (!from.isEmpty());
    assertThat(listed).isEqualTo(slots.keySet());
  }
}
