package org.terrace.groups.jgroups;

import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.terrace.groups.Group;
import org.terrace.groups.GroupConformance;

@Tag("real-processes")
@Tag("untimed")
class JGroupsUnicastTest extends GroupConformance {
  private final JGroupsMembers members = new JGroupsMembers();

  @Override
  protected Group open(String member) {
    return members.open(member);
  }

  @Override
  protected void await(String what, BooleanSupplier condition) {
    JGroupsMembers.await(what, condition);
  }
}
