package org.terrace.invocation.client;

import org.terrace.invocation.method.ServiceMethod;

/**
 * The kind of a call.
 *
 * @param name the method's name, for people
 * @param update whether it changes state
 * @param warmUp whether it only makes the way warm: then a replica that is overtaken is no worse
 */
record CallKind(String name, boolean update, boolean warmUp) {
  static final CallKind WARM_UP = new CallKind("warm-up", true, true);

  static CallKind of(ServiceMethod method) {
    return new CallKind(method.name(), method.isUpdate(), false);
  }
}
