// Which files are taken for a study, and what is said of the others.
#include <fcntl.h>
#include <grp.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/store/sqlite_helpers.h"

namespace actforge {
namespace {

namespace fs = std::filesystem;

class SqliteFileTest : public testing::Test {
 protected:
  std::string opening() const {
    return message_of([&] { at.open(); });
  }
  std::string creating() const {
    return message_of([&] { at.create(); });
  }
  std::string named(const std::string& rest) const { return "code 4: '" + at.place + "' " + rest; }

  StoreLocation at;
};

TEST_F(SqliteFileTest, MissingFile) {
  EXPECT_FALSE(store_exists(at.place));
  EXPECT_EQ(opening(), named("does not exist: there is no study of this name"));
  EXPECT_TRUE(files_in(at.folder.path()).empty());
}

TEST_F(SqliteFileTest, MissingFolder) {
  at.place = (at.folder.path() / "no/study.db").string();
  EXPECT_FALSE(store_exists(at.place));
  EXPECT_EQ(opening(), named("does not exist: there is no study of this name"));
  EXPECT_NE(creating().find("there is no folder"), std::string::npos);
}

TEST_F(SqliteFileTest, EmptyFile) {
  write_bytes(at.place, "");
  EXPECT_FALSE(store_exists(at.place));
  EXPECT_EQ(opening(), named("is an empty file: there is no study in it"));
  EXPECT_EQ(creating(), "no error");
  EXPECT_TRUE(store_exists(at.place));
}

TEST_F(SqliteFileTest, FolderAndPipe) {
  fs::create_directory(at.place);
  EXPECT_FALSE(store_exists(at.place));
  EXPECT_EQ(opening(), named("is a folder, not a study"));
  EXPECT_EQ(creating(), named("exists and is not a study"));
  fs::remove(at.place);
  ASSERT_EQ(mkfifo(at.place.c_str(), 0600), 0);
  EXPECT_EQ(opening(), named("is not a file"));
  EXPECT_EQ(creating(), named("exists and is not a study"));
}

TEST_F(SqliteFileTest, TextFile) {
  for (const std::string& text :
       {std::string("seed = 7\n"), std::string(5000, 'x'), std::string("SQLite format 3\0", 16)}) {
    write_bytes(at.place, text);
    EXPECT_FALSE(store_exists(at.place));
    EXPECT_EQ(opening(), named("is not a study: it is not an SQLite database, or its header is damaged"));
    EXPECT_EQ(creating(), named("exists and is not a study"));
    EXPECT_EQ(read_bytes(at.place), text);
  }
}

TEST_F(SqliteFileTest, SomebodyElsesDatabaseIsNotTouched) {
  for (const char* mode : {"DELETE", "WAL"}) {
    fs::remove(at.place);
    run_sql(at.place, std::string("PRAGMA journal_mode = ") + mode + "; CREATE TABLE trials (number INTEGER)");
    const std::string before = read_bytes(at.place);
    EXPECT_FALSE(store_exists(at.place));
    EXPECT_EQ(opening(), named("is an SQLite database, but not a study"));
    EXPECT_EQ(creating(), named("exists and is not a study"));
    EXPECT_EQ(read_bytes(at.place), before);
    EXPECT_EQ(files_in(at.folder.path()), std::set<std::string>{"study.db"});
  }
}

TEST_F(SqliteFileTest, OtherPlaces) {
  EXPECT_EQ(message_of([] { open_store(""); }), "code 4: a study needs a file name");
  EXPECT_EQ(message_of([] { open_store("sqlite:"); }), "code 4: a study needs a file name");
  EXPECT_EQ(message_of([] { open_store("sqlit://study.db"); }),
            "code 4: unknown kind of store 'sqlit'; did you mean 'sqlite'?");
  EXPECT_NE(message_of([] { open_store("postgresql://host/study"); }).find("unknown kind of store 'postgresql'"),
            std::string::npos);
  EXPECT_THROW(create_store("postgresql://host/study", {}), Error);
  EXPECT_THROW(store_exists("postgresql://host/study"), Error);
}

TEST_F(SqliteFileTest, APlaceMayBeAUrl) {
  at.create()->add_event("made", "");
  for (const std::string& place : {"sqlite:" + at.place, "sqlite://" + at.place}) {
    EXPECT_TRUE(store_exists(place)) << place;
    EXPECT_EQ(open_store(place, at.options)->events().size(), 1u) << place;
    EXPECT_EQ(store_title(place), "study");
    EXPECT_EQ(absolute_location(place), "sqlite:" + at.place);
    EXPECT_EQ(message_of([&] { create_store(place, test_header(), at.options); }), named("is a study already"));
  }
  const fs::path before = fs::current_path();
  fs::current_path(at.folder.path());
  EXPECT_EQ(absolute_location("study.db"), "sqlite:" + at.place);
  EXPECT_EQ(open_store("sqlite:study.db", at.options)->events().size(), 1u);
  fs::current_path(before);
  EXPECT_EQ(open_store(absolute_location(at.place), at.options)->events().size(), 1u);
}

TEST_F(SqliteFileTest, NamesThatMeanSomethingToSqlite) {
  const fs::path before = fs::current_path();
  fs::current_path(at.folder.path());
  for (const char* name : {":memory:", "file:a?mode=memory", "a b%20c", "ü", "sqlite"}) {
    create_store(name, test_header());
    EXPECT_TRUE(fs::exists(name)) << name;
    EXPECT_EQ(open_store(name)->header().version, test_header().version);
  }
  fs::current_path(before);
}

TEST_F(SqliteFileTest, ALinkLeadsToTheStudy) {
  const fs::path other = at.folder.path() / "elsewhere";
  fs::create_directory(other);
  at.create();
  const std::string link = (other / "link.db").string();
  fs::create_symlink(at.place, link);
  const std::unique_ptr<Store> a = open_store(link, at.options), b = at.open();
  a->add_event("from", "the link");
  EXPECT_EQ(b->events().size(), 1u);
  EXPECT_EQ(files_in(other), std::set<std::string>{"link.db"});
}

// What is left of a maker that was killed after it had written the file, and before it had removed the journal: by
// https://www.sqlite.org/fileformat2.html, "The Rollback Journal", one that says that the file was empty before.
void interrupt_creation(const std::string& path) {
  run_sql(path, "PRAGMA journal_mode = DELETE");
  std::string journal(
      "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
      "\0\0\0\0"
      "\0\0\0\1"
      "\0\0\0\0"
      "\0\0\2\0"
      "\0\0\x10\0",
      28);
  journal.resize(512);
  write_bytes(path + "-journal", journal);
}

TEST_F(SqliteFileTest, AnInterruptedCreationIsUndone) {
  at.create();
  interrupt_creation(at.place);
  EXPECT_FALSE(store_exists(at.place));
  at.create();
  interrupt_creation(at.place);
  EXPECT_EQ(opening(), named("is an empty file: there is no study in it"));
  at.create();
  interrupt_creation(at.place);
  fill(*at.create(), 3);
  EXPECT_EQ(at.open()->counts().trials, 3);
}

TEST_F(SqliteFileTest, WritesNothingElse) {
  {
    const std::unique_ptr<Store> store = at.create();
    fill(*store, 10);
    EXPECT_EQ(files_in(at.folder.path()), (std::set<std::string>{"study.db", "study.db-shm", "study.db-wal"}));
  }
  EXPECT_EQ(files_in(at.folder.path()), std::set<std::string>{"study.db"});
  EXPECT_EQ(ask_text(at.place, "PRAGMA journal_mode"), "wal");
}

// Runs `body` as a user who may not write everywhere, with limits of its own; gives what it returns.
template <class Body>
int in_child(Body body) {
  const pid_t process = fork();
  if (process == 0) {
    int code = 99;
    try {
      code = body();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    _exit(code);
  }
  int status = 0;
  waitpid(process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST_F(SqliteFileTest, AFileThatCannotBeWritten) {
  fill(*at.create(), 5);
  fs::permissions(at.place, fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read);
  fs::permissions(at.folder.path(), fs::perms::owner_all | fs::perms::others_read | fs::perms::others_exec);
  const std::string before = read_bytes(at.place);
  EXPECT_EQ(in_child([&] {
              if (geteuid() == 0 && (setgroups(0, nullptr) != 0 || setgid(65534) != 0 || setuid(65534) != 0)) return 1;
              const std::string message = message_of([&] { at.open()->add_event("a", "b"); });
              return message.find("permissions") != std::string::npos ? 0 : 2;
            }),
            0);
  EXPECT_EQ(read_bytes(at.place), before);
}

TEST_F(SqliteFileTest, AFullDiskLeavesTheStudyIntact) {
  at.create();
  int ends[2] = {};
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_EQ(in_child([&] {
              const rlimit limit = {2'000'000, 2'000'000};
              signal(SIGXFSZ, SIG_IGN);
              if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
              const std::unique_ptr<Store> store = at.open();
              ClaimRequest request = {.worker = worker_of("w"), .budget = 100'000};
              const std::string message = message_of([&] {
                while (true) {
                  const Trial trial = store->claim(request, propose_next()).trial;
                  if (!store->finish(trial, request.worker, scored(1))) _exit(2);
                  if (write(ends[1], &trial.number, sizeof trial.number) != sizeof trial.number) _exit(3);
                }
              });
              store->counts();  // can still be read
              return message.find("no space left") != std::string::npos ? 0 : 4;
            }),
            0);
  close(ends[1]);
  std::int64_t number = 0, finished = 0;
  const std::unique_ptr<Store> store = at.open();
  while (read(ends[0], &number, sizeof number) == sizeof number) {
    EXPECT_EQ(store->find(number).value().status(), TrialStatus::kCompleted);
    ++finished;
  }
  close(ends[0]);
  EXPECT_GT(finished, 5);
  EXPECT_EQ(store->counts().completed, finished);
  EXPECT_EQ(ask_text(at.place, "PRAGMA integrity_check"), "ok");
  store->release_dead("w");
  ClaimRequest request = {.worker = worker_of("new"), .budget = finished + 5};
  const Trial trial = store->claim(request, propose_next()).trial;  // with room again, it goes on
  EXPECT_TRUE(store->finish(trial, request.worker, scored(1)));
}

// Whether this process holds the lock by which SQLite knows that a study is in use: asked by another process, since
// one's own locks do not show. (https://www.sqlite.org/fileformat2.html: 510 bytes from 2^30 + 2 on.)
bool holds_lock(const std::string& path) {
  const pid_t process = fork();
  if (process == 0) {
    const int file = open(path.c_str(), O_RDWR);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (1 << 30) + 2, .l_len = 510, .l_pid = 0};
    const bool asked = file >= 0 && fcntl(file, F_GETLK, &lock) == 0;
    _exit(asked && lock.l_type == F_RDLCK ? 0 : 1);
  }
  int status = 1;
  waitpid(process, &status, 0);
  return status == 0;
}

// Whoever opens and closes the file by hand loses this process's locks on it; then the next process that closes its
// connection takes itself for the last and removes the log, and with it what was finished since.
TEST_F(SqliteFileTest, LookingAtAFileKeepsTheLocksOfConnections) {
  const std::unique_ptr<Store> store = at.create();
  store->counts();
  ASSERT_TRUE(holds_lock(at.place));
  EXPECT_TRUE(store_exists(at.place));
  EXPECT_TRUE(holds_lock(at.place));
  EXPECT_NE(creating().find("is a study already"), std::string::npos);
  EXPECT_TRUE(holds_lock(at.place));
  at.open();  // and closed
  EXPECT_TRUE(holds_lock(at.place));
}

}  // namespace
}  // namespace actforge
