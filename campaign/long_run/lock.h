// One campaign a store: a file that is locked while the process lives, however it ends.
#pragma once

#include <string>

#include "core/result.h"

namespace w4 {

class CampaignLock {
 public:
  // PATH is made where missing and stays. The error says whether another process holds it, and
  // which, or why the file cannot be written.
  static Result<CampaignLock> take(const std::string& path);
  CampaignLock(CampaignLock&& other) noexcept;
  CampaignLock& operator=(CampaignLock&& other) noexcept;
  ~CampaignLock();

 private:
  CampaignLock() = default;
  int fd_ = -1;
};

// Whether a process holds it now.
bool is_locked(const std::string& path);

}  // namespace w4
