package org.terrace.invocation.corba;

import org.terrace.invocation.middleware.MiddlewareConformance;

class JacorbMiddlewareTest extends MiddlewareConformance {
  JacorbMiddlewareTest() {
    super("jacorb", "127.29.1.3");
  }
}
