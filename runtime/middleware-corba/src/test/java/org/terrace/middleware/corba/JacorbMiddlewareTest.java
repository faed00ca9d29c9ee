package org.terrace.middleware.corba;

import org.terrace.middleware.MiddlewareConformance;

class JacorbMiddlewareTest extends MiddlewareConformance {
  JacorbMiddlewareTest() {
    super("jacorb", "127.29.1.3");
  }
}
