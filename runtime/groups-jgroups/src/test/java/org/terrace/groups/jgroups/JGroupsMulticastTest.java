package org.terrace.groups.jgroups;

import java.net.InetAddress;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.terrace.groups.Group;
import org.terrace.groups.GroupConformance;

@Tag("real-processes")
@Tag("long")
class JGroupsMulticastTest extends GroupConformance {
  private final JGroupsStack stack =
      JGroupsStack.multicast(InetAddress.getLoopbackAddress(), JGroupsMembers.freshMulticast());

  @Override
  protected Group open(String member) {
    return JGroupsGroup.open(JGroupsOptions.of("test", member, stack));
  }

  @Override
  protected void await(String what, BooleanSupplier condition) {
    JGroupsMembers.await(what, condition);
  }
}
