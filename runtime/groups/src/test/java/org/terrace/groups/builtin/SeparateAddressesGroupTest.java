package org.terrace.groups.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.groups.Discovery;
import org.terrace.groups.Group;
import org.terrace.groups.GroupConformance;
import org.terrace.groups.GroupOptions;

/** Members that find each other by multicast alone, each at an address of its own up to three. */
@Tag("real-processes")
@Tag("untimed")
class SeparateAddressesGroupTest extends GroupConformance {
  private static final int ADDRESSES = 3;

  private final InetSocketAddress multicast = BuiltInGroups.freshMulticast();
  private int opened;

  @Override
  protected Group open(String member) {
    return Groups.open(
        GroupOptions.of("test", member, Discovery.none())
            .withAddress(InetAddress.ofLiteral("127.27.1." + (1 + opened++ % ADDRESSES)), 0)
            .withMulticast(multicast));
  }

  @Override
  protected void await(String what, BooleanSupplier condition) {
    BuiltInGroups.await(what, condition);
  }

  @Test
  void aNewcomerAtTheAddressOfAnotherIsFoundByAll() {
    List<Group> members = new ArrayList<>();
    try {
      for (int count = 1; count <= ADDRESSES + 1; count++) {
        int expected = count;
        members.add(open("m" + count));
        await(
            count + " members",
            () -> members.stream().allMatch(m -> m.view().members().size() == expected));
      }

      assertThat(members.getLast().self().address().getAddress())
          .isEqualTo(members.getFirst().self().address().getAddress());
    } finally {
      members.forEach(Group::close);
    }
  }
}
